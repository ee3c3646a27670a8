import type { Result, Row, TrialOutput } from '@vigia/testing/trial'
import type { Cell } from './cell.ts'
import { type Fault, faults } from './faults.ts'
import { receiverNames, runMatrix } from './run.ts'

export async function carryOut({ print, progress }: TrialOutput): Promise<Result> {
  const cells = await runMatrix({
    faults,
    onFault: (fault) => progress(faults.indexOf(fault) / faults.length, `fault: ${fault}`),
  })
  const problems = cells.flatMap(({ receiver, fault, problems }) =>
    problems.map((each) => `${receiver}, ${fault}: ${each}`),
  )
  for (const problem of problems) print(problem)
  return { passed: problems.length === 0, rows: receiverNames.map((receiver) => toRow(receiver, cells)) }
}

const toRow = (receiver: string, cells: readonly Cell[]): Row => ({
  receiver,
  ...Object.fromEntries(faults.map((fault) => [fault, shown(cells, receiver, fault)])),
})

/** null: this receiver does not have this fault. */
function shown(cells: readonly Cell[], receiver: string, fault: Fault): string | null {
  const cell = cells.find((each) => each.receiver === receiver && each.fault === fault)
  if (!cell) return null
  return cell.problems.length === 0 ? `ok, ${cell.attempts} attempts` : `${cell.problems.length} problems`
}
