import { expect, it } from 'vitest'
import { cameraStatus } from './camera-status.ts'

const NOW = 1_000_000
const camera = {
  ativa: 1,
  edge_id: 1,
  eventos_habilitados_json: '["invasao","cruzamento_linha"]',
  ias_sem_suporte_json: '[]',
  ias_indisponiveis_json: '[]',
  linha_json: '[[0,0.5],[1,0.5]]',
  relato_estado: 'online',
  relato_motivo: null,
  relato_complemento: null,
  ultimo_frame_em: NOW - 15_000,
  mascaras_json: '[]',
  relato_mascarada: 0,
  relato_periodo_s: null,
  relato_conexoes: null,
  relato_secundario_json: null,
} as const
const edge = { presente: 1, ativado_em: 1 } as const
const detail = (change: object, of: Parameters<typeof cameraStatus>[1] = edge) => {
  const { status, status_detalhe } = cameraStatus({ ...camera, ...change }, of, NOW)
  return `${status}: ${status_detalhe}`
}

it('is online with a frame from the last 15 s', () => {
  expect(detail({})).toBe('online: null')
  expect(detail({ ultimo_frame_em: NOW - 15_001 })).toMatch(/^offline: O vídeo parou/)
})

it('shows why the stream broke while it still counts as online', () => {
  expect(detail({ relato_motivo: 'fluxo_encerrado' })).toMatch(/^online: O equipamento encerrou o vídeo/)
  const ias_sem_suporte_json = '["cruzamento_linha"]'
  expect(detail({ relato_motivo: 'fluxo_encerrado', ias_sem_suporte_json })).toMatch(/encerrou .*Ainda não analisado/)
  expect(detail({ relato_motivo: 'conectando' })).toBe('online: null')
})

it.each([
  [60, 'a cada 60 s. Causa provável: o equipamento encerra a sessão'],
  [600, 'a cada 10 min. Causa provável: gente demais'],
  [7_200, 'a cada 2 h. Causa provável: o equipamento trava e se reinicia'],
  [86_400, 'a cada 24 h. Causa provável: o equipamento tem um reinício diário'],
  [200_000, 'a cada 56 h. Causa provável: algo no equipamento ou na rede'],
])('names the period of %i s with which a camera fails, and the likely cause', (relato_periodo_s, text) => {
  expect(detail({ relato_periodo_s })).toContain(`online: O vídeo cai ${text}`)
  const offline = detail({ relato_periodo_s, relato_motivo: 'fluxo_encerrado', ultimo_frame_em: null })
  expect(offline).toContain(`feche outros acessos a ele. O vídeo cai ${text}`)
})

it('says how many connections the device accepts', () => {
  expect(detail({ relato_conexoes: 1 })).toMatch(
    /^online: .*derruba ou piora o vídeo da análise com mais de uma conexão da caixa/,
  )
  expect(detail({ relato_conexoes: 3 })).toContain('mais de 3 conexões')
})

it('names a dead sub stream beside a camera that is online by its main stream', () => {
  const dead = (motivo: string) => JSON.stringify({ motivo, complemento: 'respondeu 454 a DESCRIBE' })
  expect(detail({ relato_secundario_json: dead('sem_video') })).toMatch(
    /^online: O fluxo secundário não funciona, e a caixa lê o principal .*não oferece vídeo neste canal.*454/,
  )
  // A reason of a later edge.
  expect(detail({ relato_secundario_json: dead('novo') })).toBe('online: null')
})

it('says that the edge does not know the masks of the camera', () => {
  const mascaras_json = '[[0,0,1,0,1,1]]'
  expect(detail({ mascaras_json })).toBe('online: null')
  expect(detail({ mascaras_json, relato_mascarada: null })).toMatch(/^online: A caixa não conhece máscaras/)
  expect(detail({ relato_mascarada: null })).toBe('online: null')
})

it('names only the enabled IAs that the edge cannot run', () => {
  const ias_sem_suporte_json = '["cruzamento_linha","placa"]'
  expect(detail({ ias_sem_suporte_json })).toBe('online: Ainda não analisado por esta caixa: Cruzamento de linha.')
})

it('does not say of plates that the edge cannot run them, because every edge lists them', () => {
  const plates = { eventos_habilitados_json: '["placa"]', ias_sem_suporte_json: '["placa"]' }
  expect(detail(plates)).toBe('online: null')
})

it('names the enabled IAs that lack a model on the edge', () => {
  const ias_indisponiveis_json = '["cruzamento_linha","epi"]'
  expect(detail({ ias_indisponiveis_json })).toMatch(/^online: Sem análise, .*: Cruzamento de linha\. Veja o registro/)
})

it('names the enabled IAs that need a line', () => {
  const sentence = 'online: Sem análise, porque falta a linha: Cruzamento de linha. Defina a linha da câmera.'
  expect(detail({ linha_json: '[]' })).toBe(sentence)
  expect(detail({ linha_json: '[]', eventos_habilitados_json: '["invasao"]' })).toBe('online: null')
})

it('is desativada when disabled, in any state', () => {
  expect(detail({ ativa: 0 })).toBe('desativada: Câmera desativada.')
})

it.each([
  [{ relato_estado: 'falha', relato_motivo: 'senha_recusada' }, edge, 'Usuário ou senha recusados'],
  [{ relato_estado: 'falha', relato_motivo: 'codec_nao_suportado', relato_complemento: 'vp9' }, edge, 'H.265. (vp9)'],
  [
    {
      relato_estado: 'conectando',
      relato_motivo: 'aguardando_quadro_chave',
      relato_complemento: 'há 87 s sem quadro-chave',
    },
    edge,
    'ajuste o intervalo de quadro-chave (I-frame) para 1 a 2 s. (há 87 s sem quadro-chave)',
  ],
  [
    { relato_estado: 'falha', relato_motivo: 'sem_quadro_chave' },
    edge,
    'A câmera mandou vídeo por 300 s sem nenhum quadro-chave',
  ],
  [{ relato_estado: 'falha', relato_motivo: 'código novo' }, edge, 'A caixa não leu o vídeo'],
  [{ relato_estado: 'conectando' }, edge, 'Conectando'],
  [{ relato_estado: null }, edge, 'Aguardando a caixa'],
  [{ relato_estado: 'desativada' }, edge, 'Aguardando a caixa'],
  [{}, { presente: 0, ativado_em: 1 }, 'sem contato com a central'],
  [{}, { presente: 0, ativado_em: null }, 'Cadastre e ative uma caixa'],
  [{ edge_id: null }, null, 'Nenhuma caixa'],
] as const)('is offline with a reason: %j', (change, of, sentence) => {
  const text = detail({ ultimo_frame_em: null, ...change }, of)
  expect(text).toMatch(/^offline: /)
  expect(text).toContain(sentence)
})

it('ignores recent frames of an edge that is offline', () => {
  expect(detail({}, { presente: 0, ativado_em: 1 })).toMatch(/^offline: A caixa desta câmera/)
})
