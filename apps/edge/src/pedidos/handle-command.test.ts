import { createSealKeyPair, seal } from '@vigia/link/sealed'
import pino from 'pino'
import { beforeAll, expect, it } from 'vitest'
import { createCommandHandler, type Handlers } from './handle-command.ts'

const PASSWORD = 'senha-do-gravador'
const context = { signal: new AbortController().signal, prazoMs: 1_000 }
const probe = { acao: 'sondar_portas', host: '127.0.0.1', portas: [1], usuario: 'u', senha: PASSWORD } as const

let mine: Awaited<ReturnType<typeof createSealKeyPair>>
let other: Awaited<ReturnType<typeof createSealKeyPair>>
beforeAll(async () => {
  mine = await createSealKeyPair()
  other = await createSealKeyPair()
})

function begin() {
  const lines: string[] = []
  const done: unknown[] = []
  const handlers: Handlers = {
    sondar_canais: async () => ({ ok: false, falha: 'senha_recusada' }),
    listar_canais_onvif: async () => ({ ok: false, falha: 'sem_onvif' }),
    sondar_portas: async (comando, { prazoMs }) => {
      done.push([comando, prazoMs])
      return { ok: true, resultado: { portas: [] } }
    },
    capturar_quadro: async () => {
      throw new Error('broken')
    },
  }
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
  return { handle: createCommandHandler({ key: mine.privateJwk, handlers, log }), done, lines }
}

it('has each command done by the one whose it is', async () => {
  const { handle, done, lines } = begin()
  expect(await handle(await seal(mine.publicJwk, probe), context)).toEqual({ ok: true, resultado: { portas: [] } })
  expect(done).toEqual([[probe, 1_000]])
  const channels = { ...probe, acao: 'sondar_canais', modelo: 'rtsp://{host}', porta: 1, canais: [1] }
  expect(await handle(await seal(mine.publicJwk, channels), context)).toEqual({ ok: false, falha: 'senha_recusada' })
  const picture = { acao: 'capturar_quadro', camera_id: 1 }
  await expect(handle(await seal(mine.publicJwk, picture), context)).rejects.toThrow('broken')
  expect(lines.join()).toContain('"acao":"sondar_canais"')
  expect(lines.join()).not.toContain(PASSWORD)
})

it('does nothing that it can not read or does not know', async () => {
  const { handle, done, lines } = begin()
  const strange = [
    await seal(other.publicJwk, probe),
    await seal(mine.publicJwk, { ...probe, acao: 'formatar' }),
    await seal(mine.publicJwk, { ...probe, host: 'rtsp://x' }),
    await seal(mine.publicJwk, [PASSWORD]),
    ...['', 'lixo', 'a.b.c.d.e'],
  ]
  for (const sealed of strange)
    expect(await handle(sealed, context)).toEqual({ ok: false, falha: 'comando_desconhecido' })
  expect(done).toEqual([])
  expect(lines).toHaveLength(strange.length)
  expect(lines.join()).not.toContain(PASSWORD)
})
