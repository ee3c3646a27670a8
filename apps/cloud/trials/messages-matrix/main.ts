import { faults } from './faults.ts'
import { receiverNames, runMatrix } from './run.ts'

/**
 * `npm run messages-matrix`: every kind of destination with every fault. The exit status is 0 when every confirmed
 * incidente arrived once at every matching destination, and nothing else did.
 */
const cells = await runMatrix({ faults, onFault: (fault) => console.log(`fault: ${fault}`) })
const shown = (receiver: string, fault: string) => {
  const cell = cells.find((each) => each.receiver === receiver && each.fault === fault)
  if (!cell) return '–'
  return cell.problems.length === 0 ? `ok, ${cell.attempts} attempts` : `${cell.problems.length} problems`
}
console.table(
  Object.fromEntries(
    receiverNames.map((receiver) => [
      receiver,
      Object.fromEntries(faults.map((fault) => [fault, shown(receiver, fault)])),
    ]),
  ),
)
const problems = cells.flatMap(({ receiver, fault, problems }) =>
  problems.map((each) => `${receiver}, ${fault}: ${each}`),
)
for (const problem of problems) console.log(problem)
process.exit(problems.length === 0 ? 0 : 1)
