import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createSealKeyPair, seal } from '@vigia/link/sealed'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type EdgeDb, openEdgeDb } from '../db/edge-db.ts'
import { createCommandStore } from './command-store.ts'
import { createCommandHandler, type Handlers } from './handle-command.ts'

const PASSWORD = 'senha-do-gravador'
const MOMENT = 1_800_000_000_000
const probe = { acao: 'sondar_portas', host: '127.0.0.1', portas: [1], usuario: 'u', senha: PASSWORD } as const
const restart = { acao: 'reiniciar_camera', camera_id: 1 } as const

let mine: Awaited<ReturnType<typeof createSealKeyPair>>
let other: Awaited<ReturnType<typeof createSealKeyPair>>
let dir: string
let db: EdgeDb
beforeAll(async () => {
  mine = await createSealKeyPair()
  other = await createSealKeyPair()
  dir = temporaryFolder('vigia-pedidos-')
  const opened = openEdgeDb(join(dir, 'edge.db'))
  if (!opened.ok) throw new Error(opened.reason)
  db = opened.db
})
afterAll(async () => {
  db.close()
  await rm(dir, { recursive: true })
})

/** Starts an edge process on the data of the previous one. */
function begin() {
  const lines: string[] = []
  const done: unknown[] = []
  const nothing = async (comando: { acao: string }) => {
    done.push(comando.acao)
    return { ok: true, resultado: {} } as const
  }
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
    iniciar_ao_vivo: nothing,
    parar_ao_vivo: nothing,
    enviar_miniaturas: nothing,
    reiniciar_camera: nothing,
    armar_prova: nothing,
    diagnosticar: async () => ({ ok: false, falha: 'interno' }),
    listar_redes: async () => ({ ok: false, falha: 'varredura_desligada' }),
    varrer_rede: async () => ({ ok: false, falha: 'sem_rede_local' }),
    capturar_canal: async () => ({ ok: false, falha: 'sem_quadro' }),
    enviar_clipe: async () => ({ ok: false, falha: 'clipe_desconhecido' }),
    buscar_gravacao: async () => ({ ok: false, falha: 'camera_desconhecida' }),
    listar_gravacao: async () => ({ ok: false, falha: 'camera_desconhecida' }),
    diagnosticar_gravador: async () => ({ ok: false, falha: 'camera_desconhecida' }),
    descartar_clipes: nothing,
    transmitir: nothing,
    parar_transmissao: nothing,
    mover_camera: async () => ({ ok: false, falha: 'sem_ptz' }),
    listar_presets: async () => ({ ok: false, falha: 'sem_ptz' }),
    pedir_quadro_chave: async () => ({ ok: false, falha: 'sem_sincronizacao' }),
  }
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
  const commands = createCommandStore(db, log)
  const handle = createCommandHandler({ key: mine.privateJwk, commands, handlers, log })
  return {
    done,
    lines,
    /** A message of the broker: the sealed command, and the id of the transport. */
    arrives: (sealed: string, id: string) =>
      handle(sealed, { id, signal: new AbortController().signal, prazoMs: 1_000 }),
  }
}
/** Seals a command as the cloud does. */
async function asked(comando: object, pedido_em = MOMENT, key = mine.publicJwk): Promise<[string, string]> {
  const id = randomUUID()
  return [await seal(key, { id, pedido_em, comando }), id]
}
const refused = (falha: string) => ({ ok: false, falha })

it('passes each command to its handler', async () => {
  const { arrives, done, lines } = begin()
  expect(await arrives(...(await asked(probe)))).toEqual({ ok: true, resultado: { portas: [] } })
  expect(done).toEqual([[probe, 1_000]])
  const channels = { ...probe, acao: 'sondar_canais', modelo: 'rtsp://{host}', porta: 1, canais: [1] }
  expect(await arrives(...(await asked(channels)))).toEqual(refused('senha_recusada'))
  await expect(arrives(...(await asked({ acao: 'capturar_quadro', camera_id: 1 })))).rejects.toThrow('broken')
  expect(lines.join()).toContain('"acao":"sondar_canais"')
  expect(lines.join()).not.toContain(PASSWORD)
})

it('ignores unreadable and unknown commands', async () => {
  const { arrives, done, lines } = begin()
  const strange: [string, string][] = [
    await asked(probe, MOMENT, other.publicJwk),
    await asked({ ...probe, acao: 'formatar' }),
    await asked({ ...probe, host: 'rtsp://x' }),
    await asked([PASSWORD]),
    [await seal(mine.publicJwk, probe), randomUUID()],
    ...['', 'lixo', 'a.b.c.d.e'].map((sealed): [string, string] => [sealed, randomUUID()]),
  ]
  for (const [sealed, id] of strange) expect(await arrives(sealed, id)).toEqual(refused('comando_desconhecido'))
  expect(done).toEqual([])
  expect(lines).toHaveLength(strange.length)
  expect(lines.join()).not.toContain(PASSWORD)
})

it('runs no command twice, whatever its transport id and however often the program restarts', async () => {
  const [sealed, id] = await asked(restart)
  const first = begin()
  // The broker cannot change the id of a command.
  expect(await first.arrives(sealed, randomUUID())).toEqual(refused('comando_desconhecido'))
  expect(await first.arrives(sealed, id)).toMatchObject({ ok: true })
  expect(await first.arrives(sealed, id)).toMatchObject(refused('comando_repetido'))
  const second = begin()
  expect(await second.arrives(sealed, id)).toMatchObject(refused('comando_repetido'))
  // This copy arrives weeks later, after the id was deleted.
  const weeks = MOMENT + 21 * 24 * 3_600_000
  expect(await second.arrives(...(await asked(restart, weeks)))).toMatchObject({ ok: true })
  // The answer contains the time of the newest command, so that a cloud whose clock was set back can still issue
  // commands.
  expect(await begin().arrives(sealed, id)).toEqual({ ...refused('comando_repetido'), mais_novo: weeks })
  expect([first.done, second.done]).toEqual([['reiniciar_camera'], ['reiniciar_camera']])
  db.exec('DELETE FROM commands')
})

it('runs only harmless commands when the disk cannot be written', async () => {
  const { arrives, done, lines } = begin()
  db.pragma('query_only = ON')
  expect(await arrives(...(await asked(probe)))).toEqual(refused('disco_indisponivel'))
  expect(await arrives(...(await asked(restart)))).toEqual(refused('disco_indisponivel'))
  expect(await arrives(...(await asked({ acao: 'parar_ao_vivo', camera_id: 1 })))).toMatchObject({ ok: true })
  expect(await arrives(...(await asked({ acao: 'diagnosticar' })))).toEqual(refused('interno'))
  db.pragma('query_only = OFF')
  expect(await arrives(...(await asked(restart)))).toMatchObject({ ok: true })
  expect(done).toEqual(['parar_ao_vivo', 'reiniciar_camera'])
  expect(lines.join()).not.toContain(PASSWORD)
})
