import { afterEach } from 'vitest'
import { recentOutput } from './program.ts'

/** Setup file of the end-to-end tests: a failed test prints the end of the output of its programs. */
afterEach(({ task }) => {
  if (task.result?.state === 'fail') process.stderr.write(`programs of “${task.name}”\n${recentOutput()}\n`)
})
