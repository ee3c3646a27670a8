import { describe, expect, it } from 'vitest'
import { createLoginGate, type LoginResult } from './login-gate.ts'

/** A gate whose logins the test settles. */
function asking(trust: boolean) {
  const gate = createLoginGate({ trust })
  const running: ((result: LoginResult) => void)[] = []
  const ask = () =>
    gate.pass(
      () => new Promise<LoginResult>((resolve) => running.push(resolve)),
      (result) => result,
    )
  const settle = async (result: LoginResult) => {
    await new Promise((resolve) => setImmediate(resolve))
    running.shift()?.(result)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { gate, running, ask, settle }
}

describe('createLoginGate', () => {
  it('runs one login at a time, and all of them in parallel after a trusted success', async () => {
    const { gate, running, ask, settle } = asking(true)
    const all = [ask(), ask(), ask()]
    await settle('unanswered')
    expect(running).toHaveLength(1)
    await settle('right')
    expect(gate.verdict).toBe('right')
    all.push(ask(), ask())
    await new Promise((resolve) => setImmediate(resolve))
    expect(running).toHaveLength(3)
    // A later failure has a cause in the recorder, not in the password.
    await settle('wrong')
    expect(gate.verdict).toBe('right')
    await settle('right')
    await settle('right')
    expect(await Promise.all(all)).toHaveLength(5)
  })

  it('runs no login after a failure', async () => {
    const { gate, running, ask, settle } = asking(true)
    const all = [ask(), ask(), ask()]
    await settle('unanswered')
    await settle('wrong')
    expect(await Promise.all(all)).toEqual(['unanswered', 'wrong', null])
    expect(await ask()).toBeNull()
    expect(gate.verdict).toBe('wrong')
    expect(running).toHaveLength(0)
  })

  it('without trust, runs one login at a time after a success, and none after a failure', async () => {
    const { running, ask, settle } = asking(false)
    const all = [ask(), ask(), ask(), ask()]
    await settle('right')
    expect(running).toHaveLength(1)
    await settle('right')
    await settle('wrong')
    expect(await Promise.all(all)).toEqual(['right', 'right', 'wrong', null])
  })

  it('stops after three unclear logins', async () => {
    const { ask, settle } = asking(true)
    const all = [ask(), ask(), ask(), ask(), ask()]
    for (const result of ['unclear', 'unanswered', 'unclear', 'unclear'] as const) await settle(result)
    expect(await Promise.all(all)).toEqual(['unclear', 'unanswered', 'unclear', 'unclear', null])
  })

  it('continues after a login that rejected', async () => {
    const { gate, ask, settle } = asking(true)
    const broken = gate.pass(
      () => Promise.reject(new Error('defect')),
      () => 'right',
    )
    await expect(broken).rejects.toThrow('defect')
    const next = ask()
    await new Promise((resolve) => setImmediate(resolve))
    await settle('right')
    expect(await next).toBe('right')
  })
})
