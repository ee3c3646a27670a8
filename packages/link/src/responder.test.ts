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
  const clock = { nowMs: 0 }
  const responder = createResponder({ send: async (answer) => void sent.push(answer), log, now: () => clock.nowMs })
  responder.handle(handler)
  return {
    ...{ responder, log, clock, sent },
    say: (pedido: object) => responder.receive(Buffer.from(JSON.stringify(pedido))),
    answers: () => sent.map((bytes) => decodeAnswer(bytes)),
    /** The failure that was answered last; null: it was a success. */
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
  it('is run once and answered as often as it comes', async () => {
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

  it('is told when its time is over', async () => {
    const { say, sent, failure, log } = begin(untilAborted)
    say(command(randomUUID(), 5))
    await until('the answer', () => sent.length > 0)
    expect(failure()).toBe('prazo_esgotado')
    expect(log.lines).toEqual([])
  })

  it('may say at its deadline what it knows so far', async () => {
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

  it('is answered at its deadline also when it does not listen', async () => {
    const { say, sent, failure } = begin(() => new Promise(() => {}))
    say(command(randomUUID(), 5))
    await until('the answer', () => sent.length > 0)
    expect(failure()).toBe('prazo_esgotado')
  })

  it('is ended by a cancellation of its own id alone, and by the end of the link', async () => {
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

  it('is given its time', async () => {
    const contexts: CommandContext[] = []
    const { say } = begin(async (_, context) => {
      contexts.push(context)
      return done('', context)
    })
    say(command(randomUUID(), 1234))
    expect(contexts).toMatchObject([{ prazoMs: 1234, signal: { aborted: false } }])
  })

  it('that fails in an unforeseen way says so, and the log quotes nothing of it', async () => {
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
    ['a result that is no JSON', Buffer.alloc(0), { n: 1n }],
  ])('with %s is answered nevertheless', async (_, corpo, resultado) => {
    const { say, sent, failure } = begin(async () => ({ ok: true, resultado, corpo }))
    say(command())
    await until('the answer', () => sent.length > 0)
    expect(failure()).toBe('interno')
  })

  it('that nobody knows is refused at once, where it says who asks', () => {
    const { say, responder, failure, sent } = begin(done)
    expect(say({ ...command(), v: 2 })).toBe(true)
    expect(failure()).toBe('comando_desconhecido')
    expect(say({ ...command(), prazo_ms: PRAZO_MAXIMO_MS + 1 })).toBe(true)
    for (const text of ['', '{', 'null', '{}', '{"id":"x"}']) expect(responder.receive(Buffer.from(text))).toBe(false)
    expect(sent).toHaveLength(2)
  })
})

describe('bounds', () => {
  it('lets no more than 32 commands run at once', async () => {
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

  it('remembers every id for the longest deadline, and then forgets it', async () => {
    let runs = 0
    const { say, sent, clock, failure } = begin(async () => {
      runs += 1
      return { ok: true, resultado: {} }
    })
    const first = command()
    say(first)
    await until('the answer', () => sent.length === 1)
    clock.nowMs = PRAZO_MAXIMO_MS - 1
    for (let i = 1; i < 4096; i += 1) {
      say(command())
      await Promise.resolve()
      // Lets the command finish: only so many run at once.
      if (i % 16 === 0) await new Promise(setImmediate)
    }
    await until('the answers', () => sent.length === 4096)
    // No room, and nothing old enough to be forgotten: better refused than the first one run again.
    say(command())
    expect(failure()).toBe('ocupado')
    say(first)
    expect(runs).toBe(4096)
    clock.nowMs = 2 * PRAZO_MAXIMO_MS
    say(command())
    say(first)
    expect(runs).toBe(4098)
  })

  it('keeps the bytes of the latest answers only, and runs the others no second time', async () => {
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
