import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { repositoryRoot } from '@vigia/testing/program'
import type { Result } from '@vigia/testing/trial'

/** Runs the test files whose path contains `part`. Vitest prints their results. */
export async function runTests(project: string, part: string, env: Readonly<Record<string, string>>): Promise<Result> {
  const child = spawn('npm', ['run', '--silent', 'test:run', '--', '--project', project, part], {
    cwd: repositoryRoot,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = await once(child, 'close')
  return { passed: code === 0 }
}
