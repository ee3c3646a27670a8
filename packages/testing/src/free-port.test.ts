import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freePort, takePort } from './free-port.ts'

const fileOf = (port: number) => join(tmpdir(), `vigia-test-ports-${userInfo().uid}`, String(port))
const module = new URL('./free-port.ts', import.meta.url).href

/** Ports that another process gets; it ends at once. */
async function portsOfAnother(count: number): Promise<number[]> {
  const code = `import { freePort, takePort } from ${JSON.stringify(module)}
    for (let n = 0; n < ${count}; n += 1) console.log(await freePort())`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  for await (const chunk of child.stdout) output += chunk
  return output.trim().split('\n').map(Number)
}

it('gives no port to two processes, and releases the ports of a process that ends', async () => {
  const mine = await Promise.all(Array.from({ length: 50 }, () => freePort()))
  expect(new Set(mine).size).toBe(50)
  const others = await portsOfAnother(300)
  expect(others).toHaveLength(300)
  expect(others.filter((port) => mine.includes(port))).toEqual([])
  expect(mine.every((port) => existsSync(fileOf(port)))).toBe(true)
  expect(others.some((port) => existsSync(fileOf(port)))).toBe(false)
})

it('takes a port again whose process was killed', async () => {
  const killed = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' })
  await new Promise((resolve) => killed.once('exit', resolve))
  const port = await freePort()
  expect(takePort(port)).toBe(false)
  writeFileSync(fileOf(port), String(killed.pid))
  expect(takePort(port)).toBe(true)
})
