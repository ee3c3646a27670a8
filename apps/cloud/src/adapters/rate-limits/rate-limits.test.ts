import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { VigiaError } from '@vigia/contracts/errors'
import { runProgram } from '@vigia/testing/program'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openLimitsFile } from '../../test/stores/limits-store.ts'
import { type Budgets, budgets } from './budgets.ts'
import type { RateLimits } from './interface.ts'
import { createRateLimits } from './rate-limits.ts'
import { openSqliteStore } from './sqlite-store.ts'

let dir: string
let file: string
let lines: string[]
let opened: RateLimits[]
beforeEach(() => {
  dir = temporaryFolder('vigia-limites-')
  file = join(dir, 'limites.db')
  lines = []
  opened = []
})
afterEach(() => {
  for (const limits of opened) void limits.stop()
  rmSync(dir, { recursive: true })
})

const note = (_fields: object, message: string) => {
  lines.push(message)
}
const log = { debug: note, info: note, warn: note, error: note }
/** The counters of one process. */
function open(change: Partial<Budgets> = {}, { path = file, pruneMs }: { path?: string; pruneMs?: number } = {}) {
  const store = () => openSqliteStore(path)
  const limits = createRateLimits({ store, log, budgets: { ...budgets, ...change }, ...(pruneMs && { pruneMs }) })
  opened.push(limits)
  return limits
}

const right = async () => 'entrou'
const wrong = async () => {
  throw new VigiaError('nao_autenticado', { detalhe: 'x' })
}
const HERE = '203.0.113.1'
/** The result as one word. */
const attempt = (limits: RateLimits, task: () => Promise<string>, address = HERE, name = 'ana') =>
  limits.login.guard(name, address, task).catch((error: VigiaError) => error.code)
const fail = async (limits: RateLimits, times: number, address?: string, name?: string) => {
  for (let i = 0; i < times; i += 1) expect(await attempt(limits, wrong, address, name)).toBe('nao_autenticado')
}
const used = (limits: RateLimits, key = 'empresa:1') =>
  limits.sondagem.consume(key).then(
    () => 'ok',
    (error: VigiaError) => error.code,
  )
const short = { uses: 3, windowS: 0.3, detalhe: 'Espere.' }

describe('wrong passwords', () => {
  it('block a name at an address after ten attempts, even with the right password, until the window ends', async () => {
    const limits = open({ loginPar: { ...budgets.loginPar, windowS: 0.5 } })
    await fail(limits, 10)
    await expect(limits.login.guard('ana', HERE, right)).rejects.toMatchObject({
      code: 'muitas_requisicoes',
      detalhe: budgets.loginPar.detalhe,
      tentarEmS: expect.closeTo(0.25, 0),
    })
    await waitFor('the window to end', async () => (await attempt(limits, right)) === 'entrou')
  })

  it('block neither other names nor the same name at another address', async () => {
    const limits = open()
    await fail(limits, 10)
    expect(await attempt(limits, right, '203.0.113.2')).toBe('entrou')
    expect(await attempt(limits, right, HERE, 'bia')).toBe('entrou')
  })

  it('are reset by a success, and only failures count', async () => {
    const limits = open()
    await fail(limits, 9)
    expect(await attempt(limits, right)).toBe('entrou')
    await fail(limits, 9)
    const broken = () => Promise.reject(new VigiaError('indisponivel', { detalhe: 'x' }))
    for (let i = 0; i < 20; i += 1) expect(await attempt(limits, broken)).toBe('indisponivel')
    expect(await attempt(limits, right)).toBe('entrou')
  })

  it('get no more answers in a burst than one after the other', async () => {
    const limits = open()
    const burst = await Promise.all(Array.from({ length: 50 }, () => attempt(limits, wrong)))
    expect(burst.filter((outcome) => outcome === 'nao_autenticado')).toHaveLength(10)
    expect(await attempt(limits, right)).toBe('muitas_requisicoes')
  })

  it('hide the result of a right password after the tenth in a burst', async () => {
    const limits = open()
    // The codes are checked one after the other, like passwords.
    let last = Promise.resolve()
    const inTurn = (task: () => Promise<string>) => () => {
      const turn = last.then(() => setImmediate())
      last = turn
      return turn.then(task)
    }
    const tasks = Array.from({ length: 20 }, (_, i) => inTurn(i < 15 ? wrong : right))
    const burst = await Promise.all(tasks.map((task) => attempt(limits, task)))
    expect(burst).not.toContain('entrou')
  })

  it('do not include concurrent correct logins', async () => {
    const limits = open()
    const many = await Promise.all(Array.from({ length: 50 }, () => attempt(limits, right)))
    expect(new Set(many)).toEqual(new Set(['entrou']))
  })

  it('count together for one IPv6 network and for two notations of an IPv4 address', async () => {
    const limits = open()
    await fail(limits, 10, '2001:db8:1:2::1')
    expect(await attempt(limits, right, '2001:db8:1:2:ffff::9')).toBe('muitas_requisicoes')
    expect(await attempt(limits, right, '2001:db8:1:3::1')).toBe('entrou')
    await fail(limits, 10, '203.0.113.7')
    expect(await attempt(limits, right, '::ffff:cb00:7107')).toBe('muitas_requisicoes')
  })
})

describe('one guess for each of many names', () => {
  it('stops at the budget of the network, except for names with a login from there', async () => {
    const limits = open({ loginRede: { ...budgets.loginRede, uses: 12 } })
    expect(await attempt(limits, right, HERE, 'colega')).toBe('entrou')
    for (let i = 0; i < 12; i += 1) await fail(limits, 1, HERE, `nome${i}`)
    expect(await attempt(limits, wrong, HERE, 'nome99')).toBe('muitas_requisicoes')
    expect(await attempt(limits, right, HERE, 'nome99')).toBe('muitas_requisicoes')
    expect(await attempt(limits, right, HERE, 'colega')).toBe('entrou')
    expect(await attempt(limits, right, '203.0.113.2', 'nome99')).toBe('entrou')
  })

  it('keeps the limit of a known name', async () => {
    const limits = open()
    expect(await attempt(limits, right)).toBe('entrou')
    await fail(limits, 10)
    expect(await attempt(limits, right)).toBe('muitas_requisicoes')
  })
})

describe('a budget of uses', () => {
  it('is exhausted per key, with the time to wait, and renewed after its window', async () => {
    const limits = open({ sondagem: short })
    for (let i = 0; i < 3; i += 1) expect(await used(limits)).toBe('ok')
    await expect(limits.sondagem.consume('empresa:1')).rejects.toMatchObject({
      code: 'muitas_requisicoes',
      detalhe: 'Espere.',
    })
    expect(await used(limits, 'empresa:2')).toBe('ok')
    await waitFor('the window to end', async () => (await used(limits)) === 'ok')
  })

  it('is separate for each kind of use', async () => {
    const limits = open({ sondagem: { ...short, windowS: 60 } })
    for (let i = 0; i < 3; i += 1) await used(limits, 'a')
    expect(await used(limits, 'a')).toBe('muitas_requisicoes')
    await limits.teste.consume('a')
  })
})

describe('the store', () => {
  it('is shared by concurrent instances, and kept for later ones', async () => {
    const [a, b] = [open(), open()]
    await Promise.all([fail(a, 5), fail(b, 5)])
    expect(await attempt(a, right)).toBe('muitas_requisicoes')
    await a.stop()
    await b.stop()
    expect(await attempt(open(), right)).toBe('muitas_requisicoes')
  })

  it('is shared by processes', async () => {
    const budget = `{ ...budgets, sondagem: { uses: 40, windowS: 60, detalhe: 'x' } }`
    const script = join(dir, 'outro.ts')
    const from = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
    writeFileSync(
      script,
      `import { createRateLimits } from ${from('./rate-limits.ts')}
       import { budgets } from ${from('./budgets.ts')}
       const say = (_fields, message) => console.log(message)
       const log = { debug: say, info: say, warn: say, error: say }
import { openSqliteStore } from ${from('./sqlite-store.ts')}
       const store = () => openSqliteStore(${JSON.stringify(file)})
       const limits = createRateLimits({ store, log, budgets: ${budget} })
       let ok = 0
       for (let i = 0; i < 30; i += 1) await limits.sondagem.consume('k').then(() => (ok += 1), () => {})
       await limits.stop()
       console.log('ok=' + ok)
       process.disconnect?.()`,
    )
    const ran = await Promise.all([runProgram({ entry: script }), runProgram({ entry: script })])
    const taken = ran.map(({ output }) => Number(/ok=(\d+)/.exec(output)?.[1]))
    expect(ran.map(({ output }) => output.trim()).join('\n')).toMatch(/^ok=\d+\nok=\d+$/)
    expect(taken.reduce((sum, n) => sum + n)).toBe(40)
  })

  it('is readable only by its owner, and contains neither names nor addresses', async () => {
    const limits = open()
    await fail(limits, 3, HERE, 'minha-senha-digitada-no-campo-errado')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await limits.stop()
    const bytes = readFileSync(file, 'latin1')
    expect(bytes).toContain('loginPar:')
    expect(bytes).not.toContain('minha-senha')
    expect(bytes).not.toContain(HERE)
  })

  it('deletes windows that have ended', async () => {
    const limits = open({ sondagem: short }, { pruneMs: 20 })
    await used(limits)
    const other = openLimitsFile(file)
    try {
      expect(other.rows()).toBe(1)
      await waitFor('the row to go', () => other.rows() === 0)
    } finally {
      other.close()
    }
  })

  it('is created again when the file is no database', async () => {
    writeFileSync(file, randomBytes(8192))
    await fail(open(), 10)
    expect(await attempt(open(), right)).toBe('muitas_requisicoes')
    expect(lines).toEqual([])
  })

  it('is replaced by memory when it cannot be opened', async () => {
    mkdirSync(file)
    const limits = open()
    await fail(limits, 10)
    expect(await attempt(limits, right)).toBe('muitas_requisicoes')
    expect(await attempt(limits, right, '203.0.113.2')).toBe('entrou')
    expect(lines).toEqual([expect.stringContaining('store not opened')])
  })

  it('still limits guessing when it is read-only, and logs it once', async () => {
    const limits = open()
    await fail(limits, 3)
    const other = openLimitsFile(file)
    try {
      other.refuseWrites()
      const more = await Promise.all(Array.from({ length: 30 }, () => attempt(limits, wrong)))
      expect(more.filter((outcome) => outcome === 'nao_autenticado').length).toBeLessThanOrEqual(10)
      expect(await attempt(limits, right)).toBe('muitas_requisicoes')
      for (let i = 2; i < 20; i += 1) expect(await attempt(limits, right, `203.0.113.${i}`)).toBe('entrou')
      expect(lines).toEqual([expect.stringContaining('store fails')])
      other.acceptWrites()
      expect(await attempt(limits, right, '203.0.113.3')).toBe('entrou')
      expect(lines.at(-1)).toContain('works again')
    } finally {
      other.close()
    }
  })
})
