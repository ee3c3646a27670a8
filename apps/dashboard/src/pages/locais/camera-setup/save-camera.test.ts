import type { Camera } from '@vigia/contracts/cameras'
import { describe, expect, it } from 'vitest'
import { createApi } from '../../../api/client.ts'
import { saveCamera } from './save-camera.ts'

const at = (second: number) => `2026-11-21T12:00:0${second}.000Z`
const camera: Camera = {
  id: 7,
  nome: 'Portão',
  empresa_id: 1,
  edge_id: 1,
  gravador_id: null,
  canal: null,
  rtsp_url: 'rtsp://192.0.2.1/1',
  sub_rtsp_url: null,
  perfil: null,
  eventos_habilitados: ['invasao'],
  ias_habilitadas: ['invasao'],
  config_ia: {},
  zonas: [],
  nomes_zonas: [],
  imagem_inteira: false,
  linha: [],
  mascaras: [],
  gravacao_continua: false,
  audio: false,
  transporte: 'automatico',
  agenda: {},
  horarios: { feriados: null },
  ativa: true,
  modo_b_config: null,
  instrucoes: [],
  status: 'online',
  status_detalhe: null,
  ultimo_frame_em: null,
  codec: null,
  resolucao: null,
  fps: null,
  quadro_chave_s: null,
  sem_quadro_chave_s: null,
  taxa_kbps: null,
  silencio: null,
  criada_em: at(0),
  atualizada_em: at(0),
}

/** Stands for the cloud at the HTTP boundary: it compares If-Match as the API does. `limit`: it refuses any change. */
function cloud(stored: Camera, { limit = false } = {}) {
  const state = { camera: stored, seen: [] as (string | null)[] }
  const json = (status: number, body: unknown) => Response.json(body, { status })
  const api = createApi({
    fetch: async (_url, init) => {
      if (init?.method !== 'PATCH') return json(200, state.camera)
      const ifMatch = new Headers(init.headers).get('if-match')
      state.seen.push(ifMatch)
      if (limit || ifMatch !== `"${state.camera.atualizada_em}"`) return json(409, { detail: 'Não.' })
      state.camera = { ...state.camera, ...JSON.parse(String(init.body)), atualizada_em: at(9) }
      return json(200, state.camera)
    },
  })
  return { api, state }
}

describe('a save of a camera', () => {
  it('is stored if nobody else changed the camera', async () => {
    const { api, state } = cloud(camera)
    const result = await saveCamera(api, camera, { instrucoes: ['a'] })
    expect(result).toEqual({ kind: 'saved', camera: state.camera })
    expect(state.camera.instrucoes).toEqual(['a'])
    expect(state.seen).toEqual([`"${at(0)}"`])
  })

  it('is stored over a change of other fields, and keeps them', async () => {
    const { api, state } = cloud({ ...camera, nome: 'Garagem', atualizada_em: at(1) })
    expect((await saveCamera(api, camera, { instrucoes: ['a'] })).kind).toBe('saved')
    expect([state.camera.nome, state.camera.instrucoes]).toEqual(['Garagem', ['a']])
  })

  it('does not overwrite another change of the same field', async () => {
    const theirs = { ...camera, instrucoes: ['b'], atualizada_em: at(1) }
    const { api, state } = cloud(theirs)
    expect(await saveCamera(api, camera, { instrucoes: ['a'] })).toEqual({ kind: 'changed', camera: theirs })
    expect(state.camera).toEqual(theirs)
  })

  it('fails with the sentence of the API if the conflict is a limit', async () => {
    const { api } = cloud(camera, { limit: true })
    await expect(saveCamera(api, camera, { zonas: [] })).rejects.toMatchObject({ code: 'conflito', detalhe: 'Não.' })
  })
})
