/** Codes of the characters that readers look at one by one. */
export const openBrace = 0x7b;
export const closeBrace = 0x7d;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;
export const openParenthesis = 0x28;
export const closeParenthesis = 0x29;
export const comma = 0x2c;
export const colon = 0x3a;
export const semicolon = 0x3b;
export const lessThan = 0x3c;
export const doubleQuote = 0x22;
export const singleQuote = 0x27;
export const backslash = 0x5c;
export const backtick = 0x60;

/** What a reader sees in place of a character when there is none left. */
export const endOfInput = -1;
