import { randomUUID } from 'node:crypto'
import { PRAZO_MAXIMO_MS } from '@vigia/contracts/pedidos'
import { describe, expect, it } from 'vitest'
import { decodeAnswer } from './answer.ts'
import { MAX_RECORD_BYTES } from './limits.ts'
import { type CommandContext, type CommandHandler, createResponder } from './responder.ts'
import { createMemoryLog, until } from './testing/installation.ts'

function begin(handler: CommandHandler) {
  const log = createMemoryLog()
  const sent: Buffer[] = []
  const clock = { now: 0 }
  const responder = createResponder({ send: async (answer) => void sent.push(answer), log, now: () => clock.now })
  responder.handle(handler)
  return {
    responder,
    log,
    clock,
    sent,
    say: (pedido: object) => responder.receive(Buffer.from(JSON.stringify(pedido))),
    answers: () => sent.map((bytes) => decodeAnswer(bytes)),
    /** Failure of the last answer; null: success. */
    failure: () => {
      const last = decodeAnswer(sent.at(-1) ?? Buffer.alloc(0))
      return last.ok && !last.resposta.ok ? last.resposta.falha : null
    },
  }
}
const command = (id: string = randomUUID(), prazo_ms = 60_000) => ({
  v: 1,
  tipo: 'comando',
  id,
  prazo_ms,
  comando: 'jwe',
})
const done: CommandHandler = async () => ({ ok: true, resultado: {} })
const untilAborted: CommandHandler = (_, { signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

describe('a command', () => {
  it('runs once and gets an answer at every arrival', async () => {
    let runs = 0
    const gate = Promise.withResolvers<void>()
    const { say, sent, answers } = begin(async (comando) => {
      runs += 1
      await gate.promise
      return { ok: true, resultado: { comando }, corpo: Buffer.from('jpeg') }
    })
    const asked = command()
    say(asked)
    say(asked)
    gate.resolve()
    await until('the answer', () => sent.length > 0)
    say(asked)
    expect(runs).toBe(1)
    const one = { v: 1, id: asked.id, ok: true, resultado: { comando: 'jwe' } }
    expect(answers()).toEqual([1, 2].map(() => ({ ok: true, resposta: one, corpo: Buffer.from('jpeg') })))
  })

  it('gets an abort signal at its deadline', async () => {
    const { say, sent, failure, log } = begin(untilAborted)
    say(command(randomUUID(), 5))
    await until('the answer', () => sent.length > 0)
    expect(failure()).toBe('prazo_esgotado')
    expect(log.lines).toEqual([])
  })

  it('may give a partial result at its deadline', async () => {
    const { say, sent, answers } = begin(
      (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ ok: true, resultado: { canais: [1] } }))
        }),
    )
    say(command(randomUUID(), 5))
    await until('the answer', () => sent.length > 0)
    expect(answers()).toMatchObject([{ resposta: { ok: true, resultado: { canais: [1] } } }])
  })

  it('is answered at its deadline even when it ignores the signal', async () => {
    const { say, sent, failure } = begin(() => new Promise(() => {}))
    say(command(randomUUID(), 5))
    await until('the answer', () => sent.length > 0)
    expect(failure()).toBe('prazo_esgotado')
  })

  it('is cancelled only by its own id or by the end of the link', async () => {
    const { say, sent, failure, responder } = begin(untilAborted)
    const [first, second] = [command(), command()]
    say(first)
    say(second)
    say({ v: 1, tipo: 'cancelamento', id: randomUUID() })
    say({ v: 1, tipo: 'cancelamento', id: first.id })
    await until('the answer', () => sent.length > 0)
    expect(failure()).toBe('cancelado')
    expect(sent).toHaveLength(1)
    responder.stop()
    await until('the other', () => sent.length === 2)
    expect(failure()).toBe('cancelado')
  })

  it('gets its time limit', async () => {
    const contexts: CommandContext[] = []
    const { say } = begin(async (_, context) => {
      contexts.push(context)
      return done('', context)
    })
    say(command(randomUUID(), 1234))
    expect(contexts).toMatchObject([{ prazoMs: 1234, signal: { aborted: false } }])
  })

  it('with an unexpected error is answered `interno`, and the log does not quote the error', async () => {
    const { say, sent, failure, log } = begin(async () => {
      throw Object.assign(new TypeError('rtsp://admin:segredo@h/1'), { input: 'segredo' })
    })
    say(command())
    await until('the answer', () => sent.length > 0)
    expect(failure()).toBe('interno')
    expect(log.lines.join()).toMatch(/command failed.*TypeError.*responder\.test/)
    expect(log.lines.join()).not.toContain('segredo')
  })

  it.each([
    ['a picture that is too large', Buffer.alloc(MAX_RECORD_BYTES), {}],
    ['a result that JSON cannot represent', Buffer.alloc(0), { n: 1n }],
  ])('with %s is answered nevertheless', async (_, corpo, resultado) => {
    const { say, sent, failure } = begin(async () => ({ ok: true, resultado, corpo }))
    say(command())
    await until('the answer', () => sent.length > 0)
    expect(failure()).toBe('interno')
  })

  it('of an unknown kind is refused at once if its id is readable', () => {
    const { say, responder, failure, sent } = begin(done)
    expect(say({ ...command(), v: 2 })).toBe(true)
    expect(failure()).toBe('comando_desconhecido')
    expect(say({ ...command(), prazo_ms: PRAZO_MAXIMO_MS + 1 })).toBe(true)
    for (const text of ['', '{', 'null', '{}', '{"id":"x"}']) expect(responder.receive(Buffer.from(text))).toBe(false)
    expect(sent).toHaveLength(2)
  })
})

describe('bounds', () => {
  it('runs at most 32 commands at once', async () => {
    const { say, sent, failure } = begin(untilAborted)
    const asked = Array.from({ length: 32 }, () => command())
    asked.forEach(say)
    expect(sent).toHaveLength(0)
    say(command())
    expect(failure()).toBe('ocupado')
    say({ v: 1, tipo: 'cancelamento', id: asked[0]?.id })
    await until('a free place', () => sent.length === 2)
    say(command())
    expect(sent).toHaveLength(2)
  })

  it('keeps every id for the longest deadline, then forgets it', async () => {
    let runs = 0
    const { say, sent, clock, failure } = begin(async () => {
      runs += 1
      return { ok: true, resultado: {} }
    })
    const first = command()
    say(first)
    await until('the answer', () => sent.length === 1)
    clock.now = PRAZO_MAXIMO_MS - 1
    for (let i = 1; i < 4096; i += 1) {
      say(command())
      await Promise.resolve()
      // Waits for the command, because the number of running commands is limited.
      if (i % 16 === 0) await new Promise(setImmediate)
    }
    await until('the answers', () => sent.length === 4096)
    // No id is old enough to be forgotten: the new command is refused, so that no command runs twice.
    say(command())
    expect(failure()).toBe('ocupado')
    say(first)
    expect(runs).toBe(4096)
    clock.now = 2 * PRAZO_MAXIMO_MS
    say(command())
    say(first)
    expect(runs).toBe(4098)
  })

  it('keeps only the latest answers up to the byte limit, and repeats no command', async () => {
    let runs = 0
    const { say, sent, failure } = begin(async () => {
      runs += 1
      return { ok: true, resultado: {}, corpo: Buffer.alloc(5 * 1024 * 1024) }
    })
    const asked = Array.from({ length: 5 }, () => command())
    for (const [i, one] of asked.entries()) {
      say(one)
      await until('the answer', () => sent.length === i + 1)
    }
    say(asked[0] ?? {})
    expect(failure()).toBe('interno')
    say(asked[4] ?? {})
    expect(failure()).toBeNull()
    expect(runs).toBe(5)
  })
})
