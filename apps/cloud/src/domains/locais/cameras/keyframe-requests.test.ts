import type { CameraRelatada, EsperaQuadroChave } from '@vigia/contracts/edge-state'
import type { ResultadoCadastro } from '@vigia/contracts/gravadores'
import { fixture } from '@vigia/testing/fixture'
import { waitFor } from '@vigia/testing/wait'
import { beforeAll, expect, it } from 'vitest'
import { startAppWithBroker } from '../../../test/clouds/app-with-broker.ts'
import { type StandInEdge, startStandInEdge } from '../../../test/stand-ins/stand-in-edge.ts'
import { MAX_CAMERAS, MAX_DEVICES } from './keyframe-requests.ts'

const SENHA = 's3nha-do-gravador'
const access = (host: string) => ({ host, porta: 80, usuario: 'admin', senha: SENHA })

type Answer = Awaited<ReturnType<StandInEdge['answer']>>
const DONE: Answer = { ok: true, resultado: { pedido: true } }
/** Answer of the next commands. */
let answer: Answer = DONE
/** A camera whose device is always asked, because it never refuses. */
let witness: number

const app = fixture(startAppWithBroker)
const conta = fixture(() => app.account('Padaria'))
const edge = fixture(() => startStandInEdge(conta.admin, app.url))

beforeAll(async () => {
  edge.answer = async (comando) => {
    // On a busy machine a report of an earlier step may still be handled when `answer` changes.
    if (comando.acao === 'pedir_quadro_chave' && comando.camera_id === witness) return DONE
    if (comando.acao !== 'listar_canais_onvif') return answer
    const fluxo = (canal: number, sub: number) => ({ porta: 554, caminho: `/${canal}/${sub}` })
    const canais = comando.canais.map((canal) => ({
      canal,
      estado: 'video',
      codec: 'h264',
      resolucao: '640x360',
      principal: fluxo(canal, 1),
      sub: fluxo(canal, 2),
    }))
    return { ok: true, resultado: { canais } }
  }
  ;[witness = 0] = (await register('192.168.0.99', 1)).ids
})

async function register(host: string, count: number, by = conta) {
  const canais = Array.from({ length: count }, (_, index) => index + 1)
  const body = { fabricante: 'onvif', ...access(host), num_canais: count, canais, empresa_id: by.empresaId }
  const made = await by.admin.expect<ResultadoCadastro>(201, 'POST', '/api/v1/gravadores/cadastrar', body)
  return { gravador: made.gravador_id, ids: made.cameras.map(({ id }) => id) }
}
const LONG: EsperaQuadroChave = { fluxo: 'principal', ha_ms: 30_000 }
/** The report of a camera whose streams wait; default: the main stream, for half a minute. */
const waiting = (id: number, espera: EsperaQuadroChave[] | null = [LONG], quadro_chave_ms = 2_000): CameraRelatada => ({
  ...({ id, estado: 'conectando', motivo: 'conectando', complemento: null, ultimo_frame_ha_ms: null } as const),
  codec: null,
  resolucao: null,
  fps: null,
  quadro_chave_ms,
  taxa_kbps: null,
  ias_sem_suporte: [],
  ias_indisponiveis: [],
  ...(espera && { espera_quadro_chave: espera }),
})
const report = (...cameras: CameraRelatada[]) => edge.report([], {}, 1, { cameras })
const requests = (...ids: number[]) =>
  edge.commands.flatMap((one) => (one.acao === 'pedir_quadro_chave' && ids.includes(one.camera_id) ? [one] : []))

/** Sends a report until the cloud has handled it completely: the requests of one follow those of the one before. */
async function handled(...cameras: CameraRelatada[]) {
  for (let pass = 0; pass < 2; pass++) {
    const before = requests(witness).length
    const isAsked = async () => {
      await report(...cameras, waiting(witness))
      return requests(witness).length > before
    }
    await waitFor('a request', isAsked, { everyMs: 100 })
  }
}

/**
 * Sends a report until its cameras have so many further requests. The cloud drops a report while it still handles the
 * one before.
 */
async function asked(count: number, ...cameras: CameraRelatada[]) {
  const ids = cameras.map(({ id }) => id)
  const before = requests(...ids).length
  const isAsked = async () => {
    if (requests(...ids).length === before) await report(...cameras)
    return requests(...ids).length >= before + count
  }
  await waitFor('the requests', isAsked, { everyMs: 100 })
}

it('asks the device of a camera whose groups are long, with the streams that wait', async () => {
  const { ids } = await register('192.168.0.20', 1)
  const [id = 0] = ids
  // An edge of an earlier release reports no wait.
  await handled(waiting(id, null, 120_000))
  // Short groups need no request.
  await handled(waiting(id, [{ fluxo: 'principal', ha_ms: 10_000 }], 10_000))
  expect(requests(id)).toEqual([])
  const command = { acao: 'pedir_quadro_chave', camera_id: id, ...access('192.168.0.20'), canal: 1 }
  const sub = { fluxo: 'secundario', ha_ms: 4_000 } as const
  await asked(1, waiting(id, [{ fluxo: 'principal', ha_ms: 10_001 }, sub]))
  expect(requests(id)).toEqual([{ ...command, fluxos: ['principal'] }])
  // The measured interval is long.
  await asked(1, waiting(id, [sub], 120_000))
  expect(requests(id)[1]).toEqual({ ...command, fluxos: ['secundario'] })
})

it.each(['sem_sincronizacao', 'senha_recusada'] as const)(
  'asks a device that answered %s once for all its cameras, until its address changes',
  async (falha) => {
    const { gravador, ids } = await register(falha === 'senha_recusada' ? '192.168.0.21' : '192.168.0.22', 3)
    const cameras = ids.map((id) => waiting(id))
    const path = `/api/v1/gravadores/${gravador}`
    answer = { ok: false, falha }
    await asked(1, ...cameras)
    answer = DONE
    await handled(...cameras)
    await conta.admin.expect(200, 'PATCH', path, { nome: `Gravador ${falha}` })
    await handled(...cameras)
    expect(requests(...ids)).toHaveLength(1)
    await conta.admin.expect(200, 'PATCH', path, { senha: 'outra' })
    await handled(...cameras)
    expect(requests(...ids).slice(1, 4)).toMatchObject(ids.map((camera_id) => ({ camera_id, senha: 'outra' })))
  },
)

it('keeps no refusal of a login that has changed meanwhile', async () => {
  const { gravador, ids } = await register('192.168.0.25', 1)
  const [id = 0] = ids
  const before = edge.answer
  edge.answer = async (comando) => {
    if (comando.acao !== 'pedir_quadro_chave' || comando.camera_id !== id) return await before(comando)
    await conta.admin.expect(200, 'PATCH', `/api/v1/gravadores/${gravador}`, { senha: 'certa' })
    return { ok: false, falha: 'senha_recusada' }
  }
  await asked(1, waiting(id))
  edge.answer = before
  await handled(waiting(id))
  expect(requests(id)[1]).toMatchObject({ senha: 'certa' })
})

it('asks again after a failure that says nothing about the device', async () => {
  const { ids } = await register('192.168.0.23', 1)
  answer = { ok: false, falha: 'inalcancavel' }
  await asked(1, ...ids.map((id) => waiting(id)))
  answer = DONE
  await handled(...ids.map((id) => waiting(id)))
  expect(requests(...ids).length).toBeGreaterThan(1)
})

it('asks no device that was not added by ONVIF, and none of another edge', async () => {
  const made = { nome: 'Doca', rtsp_url: 'rtsp://192.168.0.31/1' }
  const { id } = await conta.admin.expect<{ id: number }>(201, 'POST', '/api/v1/cameras', made)
  const other = await app.account('Farmácia')
  const theirs = await startStandInEdge(other.admin, app.url)
  theirs.answer = edge.answer
  const { ids } = await register('192.168.0.24', 1, other)
  await handled(...[id, ...ids].map((one) => waiting(one)))
  expect(requests(id, ...ids)).toEqual([])
  expect(theirs.commands.map(({ acao }) => acao)).not.toContain('pedir_quadro_chave')
  await theirs.stop()
})

it('asks at most 32 cameras after a report, and eight devices at the same time', async () => {
  const { ids } = await register('192.168.0.40', MAX_CAMERAS + 1)
  await asked(MAX_CAMERAS, ...ids.map((id) => waiting(id)))
  await handled()
  expect(requests(...ids)).toHaveLength(MAX_CAMERAS)
  const devices: number[] = []
  for (let n = 0; n <= MAX_DEVICES; n++) devices.push(...(await register(`192.168.1.${n + 1}`, 1)).ids)
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const before = edge.answer
  edge.answer = (comando) => (comando.acao === 'pedir_quadro_chave' ? promise : before(comando))
  const cameras = devices.map((one) => waiting(one))
  await asked(MAX_DEVICES, ...cameras)
  // A further report begins no request while those are in progress.
  await report(...cameras)
  expect(requests(...devices)).toHaveLength(MAX_DEVICES)
  resolve(DONE)
  await waitFor('the last request', () => requests(...devices).length > MAX_DEVICES)
  edge.answer = before
})
