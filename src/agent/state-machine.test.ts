import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AgentState,
  type AgentTransition,
  agentStates,
  agentTransitions,
  isTerminalState,
  nextState,
  stateEdges,
} from "./agent-state.ts";
import { AgentStateMachine, type StateChange, StateTransitionError } from "./state-machine.ts";

/** A machine brought to `target` by the shortest legal way. */
function machineIn(target: AgentState): AgentStateMachine {
  const ways: [AgentState, AgentTransition[]][] = [["idle", []]];
  const seen = new Set<AgentState>(["idle"]);
  for (const [state, way] of ways) {
    if (state === target) {
      const machine = new AgentStateMachine();
      for (const transition of way) machine.transition(transition);
      return machine;
    }
    for (const transition of agentTransitions) {
      const next = nextState(state, transition);
      if (!next || seen.has(next)) continue;
      seen.add(next);
      ways.push([next, [...way, transition]]);
    }
  }
  throw new Error(`${target} cannot be reached`);
}

describe("the table", () => {
  const chain: [AgentState, AgentTransition, AgentState][] = [
    ["idle", "start", "initializing"],
    ["initializing", "begin_thinking", "thinking"],
    ["thinking", "detect_tool_call", "parsing_tool_call"],
    ["parsing_tool_call", "request_approval", "waiting_for_approval"],
    ["waiting_for_approval", "approval_granted", "executing_tool"],
    ["waiting_for_approval", "approval_denied", "thinking"],
    ["executing_tool", "tool_complete", "processing_result"],
    ["processing_result", "begin_thinking", "thinking"],
    ["thinking", "no_tool_calls", "responding"],
    ["responding", "complete", "completed"],
    ["parsing_tool_call", "approval_granted", "executing_tool"],
  ];
  const added: typeof chain = [
    ["thinking", "begin_thinking", "thinking"],
    ["parsing_tool_call", "approval_denied", "thinking"],
    ["executing_tool", "detect_tool_call", "parsing_tool_call"],
  ];

  it("has these edges and no other", () => {
    const listed = agentStates.flatMap((state) =>
      Object.entries(stateEdges[state]).map(([transition, next]) => `${state} ${transition} ${next}`),
    );
    expect(listed.toSorted()).toEqual([...chain, ...added].map((edge) => edge.join(" ")).toSorted());
  });

  it.each(agentStates)("lets %s be reached", (state) => {
    expect(machineIn(state).currentState).toBe(state);
  });

  it.each(agentStates)("cancels and fails from %s unless it is terminal", (state) => {
    const allowed = !isTerminalState(state);
    for (const transition of ["cancel", "fail"] as const) {
      const machine = machineIn(state);
      expect(machine.canTransition(transition)).toBe(allowed);
      expect(machine.tryTransition(transition) !== undefined).toBe(allowed);
      expect(machine.currentState).toBe(allowed ? (transition === "cancel" ? "cancelled" : "error") : state);
    }
  });
});

describe("the machine", () => {
  it("starts idle and ready", () => {
    const machine = new AgentStateMachine();
    expect([machine.currentState, machine.iterationNumber, machine.requestId]).toEqual(["idle", 0, ""]);
    expect([machine.canAcceptRequest, machine.canAcceptInput, machine.isTerminal]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it("refuses what the state does not have, and stays", () => {
    const machine = new AgentStateMachine();
    expect(machine.tryTransition("begin_thinking")).toBeUndefined();
    expect(machine.currentState).toBe("idle");
    const attempt = () => machine.transition("complete", "too early");
    expect(attempt).toThrow(StateTransitionError);
    expect(attempt).toThrow("Invalid transition 'complete' from state 'idle': too early");
  });

  it("says in its error what was tried", () => {
    const error = new StateTransitionError("idle", "fail", "why");
    expect([error.fromState, error.transition, error.context]).toEqual(["idle", "fail", "why"]);
  });

  it("counts an iteration each time the model begins to think", () => {
    const machine = new AgentStateMachine();
    machine.start("r1");
    expect(machine.iterationNumber).toBe(0);
    machine.transition("begin_thinking");
    machine.transition("begin_thinking");
    expect(machine.iterationNumber).toBe(2);
  });

  it("reports each change with the time spent before it", () => {
    let now = 1_000;
    const machine = new AgentStateMachine(() => now);
    const changes: StateChange[] = [];
    const subscription = machine.onChange((change) => changes.push(change));
    now += 50;
    machine.start("r1");
    now += 30;
    expect(machine.timeInCurrentState).toBe(30);
    machine.transition("begin_thinking");
    now += 20;
    machine.transition("fail", "no network");
    subscription[Symbol.dispose]();
    machine.reset();
    machine.start("r2");
    expect(changes).toEqual([
      {
        requestId: "r1",
        previousState: "idle",
        currentState: "initializing",
        transition: "start",
        iterationNumber: 0,
      },
      {
        requestId: "r1",
        previousState: "initializing",
        currentState: "thinking",
        transition: "begin_thinking",
        iterationNumber: 1,
        duration: 30,
      },
      {
        requestId: "r1",
        previousState: "thinking",
        currentState: "error",
        transition: "fail",
        iterationNumber: 1,
        context: "no network",
        duration: 20,
      },
    ]);
  });

  it("changes state whatever its listeners do", () => {
    const machine = new AgentStateMachine();
    const seen: string[] = [];
    machine.onChange(() => {
      throw new Error("a listener's own trouble");
    });
    machine.onChange((change) => seen.push(change.currentState));
    machine.start("r1");
    expect([machine.currentState, seen]).toEqual(["initializing", ["initializing"]]);
  });

  it("starts one request at a time", () => {
    const machine = new AgentStateMachine();
    machine.start("r1");
    expect(() => machine.start("r2")).toThrow(StateTransitionError);
    expect(machine.requestId).toBe("r1");
  });

  it("forgets everything when reset", () => {
    const machine = machineIn("completed");
    machine.reset();
    expect([machine.currentState, machine.iterationNumber, machine.requestId]).toEqual(["idle", 0, ""]);
    expect(machine.start("r2").requestId).toBe("r2");
  });

  it("lists exactly the transitions that work, in any state it can get into", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...agentTransitions), { maxLength: 40 }), (walk) => {
        const machine = new AgentStateMachine();
        let thoughts = 0;
        for (const transition of walk) {
          const before = machine.currentState;
          const listed = machine.validTransitions();
          const change = machine.tryTransition(transition);
          expect(listed.includes(transition)).toBe(change !== undefined);
          if (!change) {
            expect(machine.currentState).toBe(before);
            continue;
          }
          if (transition === "begin_thinking") thoughts += 1;
          expect(change).toMatchObject({ previousState: before, currentState: machine.currentState });
          expect(machine.currentState).toBe(nextState(before, transition));
          expect(isTerminalState(before)).toBe(false);
        }
        expect(machine.iterationNumber).toBe(thoughts);
        if (machine.isTerminal) expect(machine.validTransitions()).toEqual([]);
      }),
    );
  });
});
