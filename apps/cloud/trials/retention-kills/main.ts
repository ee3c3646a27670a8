import { runKills } from './run.ts'

/**
 * `npm run retention-kills`: kills a sweep at 50 random steps. The exit status is 0 without a problem. No row may lack
 * its file after a kill. Each next sweep must lead to the rows and files of an undisturbed one.
 */
const POINTS = 50
const { steps, killed, problems } = await runKills(POINTS, (at) => console.log(`killed at step ${at}`))
for (const problem of problems) console.log(problem)
console.log(`${killed.length} kills among ${steps} steps, ${problems.length} problems`)
process.exit(problems.length === 0 ? 0 : 1)
