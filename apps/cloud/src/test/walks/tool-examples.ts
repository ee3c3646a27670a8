import type { Backstage } from '../clouds/backstage.ts'
import type { Account } from '../clouds/test-app.ts'

/** Ids of one record of each kind, all of one Empresa. */
export interface RecordIds {
  readonly empresa: number
  readonly camera: number
  readonly evento: number
  readonly incidente: number
  readonly gravador: number
  readonly canal: number
  readonly edge: number
}

export async function makeRecords(backstage: Backstage, { empresaId, admin }: Account): Promise<RecordIds> {
  const created = async (path: string, body: object) =>
    (await admin.expect<{ id: number }>(201, 'POST', `/api/v1${path}`, body)).id
  // Loopback addresses, which differ between accounts; no edge runs, so nothing connects to them.
  const host = `127.${empresaId % 250}.0.9`
  const gravador = { fabricante: 'intelbras', host, porta: 554, usuario: 'admin', senha: 'segredo-do-dvr', nome: 'DVR' }
  const seeded = await backstage.camera(empresaId)
  const evento = await backstage.event(seeded)
  await backstage.passagem(seeded)
  return {
    empresa: empresaId,
    edge: seeded.edgeId,
    camera: seeded.cameraId,
    evento,
    incidente: await backstage.incidenteOf(evento),
    gravador: await created('/gravadores', gravador),
    canal: await created('/notificacoes', { empresa_id: empresaId, tipo: 'email' }),
  }
}

const acesso = (ids: RecordIds) => ({
  fabricante: 'intelbras',
  host: `127.${ids.empresa % 250}.0.10`,
  porta: 554,
  usuario: 'admin',
  senha: 'segredo-do-dvr',
  num_canais: 4,
  empresa_id: ids.empresa,
})

/** A valid call of each tool, with these records. Tests over all tools fail for a tool without an example. */
const toolExamples: Readonly<Record<string, (ids: RecordIds) => object>> = {
  quem_sou: () => ({}),
  alterar_retencao: ({ empresa }) => ({ empresa_id: empresa, tipo: 'imagens', dias: 120 }),
  alterar_mascaras: ({ camera }) => ({ camera_id: camera, mascaras: [[0.1, 0.1, 0.5, 0.1, 0.5, 0.5]] }),
  gerar_codigo_edge: ({ edge }) => ({ edge_id: edge }),
  listar_empresas: () => ({}),
  listar_limites: ({ empresa }) => ({ empresa_id: empresa }),
  consultar_fila_verificacao: ({ empresa }) => ({ empresa_id: empresa }),
  listar_pendencias: ({ empresa }) => ({ empresa_id: empresa }),
  listar_cameras: ({ empresa }) => ({ empresa_id: empresa }),
  obter_camera: ({ camera }) => ({ camera_id: camera }),
  consultar_placas: ({ camera }) => ({ camera_id: camera }),
  capturar_imagem: ({ camera }) => ({ camera_id: camera }),
  listar_eventos: ({ empresa }) => ({ empresa_id: empresa }),
  obter_evento: ({ evento }) => ({ evento_id: evento }),
  ver_clipe: ({ evento }) => ({ evento_id: evento }),
  buscar_gravacao: ({ camera }) => ({
    camera_id: camera,
    inicio: '2026-11-21T09:00:00-03:00',
    fim: '2026-11-21T09:05:00-03:00',
  }),
  listar_incidentes: ({ empresa }) => ({ empresa_id: empresa }),
  ver_incidente: ({ incidente }) => ({ incidente_id: incidente }),
  responder_incidente: ({ incidente }) => ({ incidente_id: incidente, resposta: 'falso', nota: 'Era o gato.' }),
  silenciar_camera: ({ camera }) => ({ camera_id: camera, minutos: 15 }),
  consultar_relatorio: ({ empresa }) => ({
    empresa_id: empresa,
    desde: '2026-11-01T00:00:00-03:00',
    ate: '2026-12-01T00:00:00-03:00',
  }),
  consultar_concordancia: ({ empresa }) => ({
    empresa_id: empresa,
    desde: '2026-11-01T00:00:00-03:00',
    ate: '2026-12-01T00:00:00-03:00',
  }),
  consultar_linha_do_tempo: ({ empresa }) => ({
    empresa_id: empresa,
    desde: '2026-11-21T00:00:00-03:00',
    ate: '2026-11-22T00:00:00-03:00',
  }),
  resumo_periodo: () => ({ desde: '2026-11-21T22:00:00-03:00', ate: '2026-11-22T06:00:00-03:00' }),
  buscar: ({ empresa }) => ({ empresa_id: empresa, texto: 'portão' }),
  consultar_metricas: ({ empresa }) => ({ empresa_id: empresa }),
  revisar_evento: ({ evento }) => ({ evento_id: evento, rotulo_humano: 'refutado', revisor: 'Ana' }),
  criar_camera: ({ gravador }) => ({ nome: 'Doca', gravador_id: gravador, canal: 1 }),
  alterar_camera: ({ camera }) => ({ camera_id: camera, nome: 'Pátio' }),
  reiniciar_camera: ({ camera }) => ({ camera_id: camera }),
  obter_calibracao: ({ camera }) => ({ camera_id: camera }),
  listar_modelos_calibracao: () => ({}),
  alterar_calibracao: ({ camera }) => ({ camera_id: camera, ia: 'invasao', conf: 0.6 }),
  obter_agenda: ({ camera }) => ({ camera_id: camera }),
  alterar_agenda: ({ camera }) => ({ camera_id: camera, janelas: { invasao: { inicio: 22, fim: 6 } } }),
  obter_zonas: ({ camera }) => ({ camera_id: camera }),
  alterar_zonas: ({ camera }) => ({ camera_id: camera, zonas: [[0.1, 0.1, 0.9, 0.1, 0.5, 0.9]] }),
  listar_gravadores: ({ empresa }) => ({ empresa_id: empresa }),
  obter_gravador: ({ gravador }) => ({ gravador_id: gravador }),
  descobrir_gravador: (ids) => acesso(ids),
  cadastrar_gravador: (ids) => ({ ...acesso(ids), canais: [{ canal: 2 }] }),
  testar_conexao: (ids) => ({ host: acesso(ids).host, portas: [554], empresa_id: ids.empresa }),
  listar_canais_notificacao: ({ empresa }) => ({ empresa_id: empresa }),
  obter_canal_notificacao: ({ canal }) => ({ canal_id: canal }),
  testar_canal_notificacao: ({ canal }) => ({ canal_id: canal }),
  criar_canal_notificacao: ({ empresa }) => ({ empresa_id: empresa, tipo: 'email', destinatarios: ['a@exemplo.com'] }),
  alterar_canal_notificacao: ({ canal }) => ({ canal_id: canal, ativo: false }),
  listar_edges: ({ empresa }) => ({ empresa_id: empresa }),
  obter_edge: ({ edge }) => ({ edge_id: edge }),
  diagnosticar_edge: ({ edge }) => ({ edge_id: edge }),
  listar_quedas: ({ empresa }) => ({ empresa_id: empresa }),
  listar_lacunas: ({ empresa }) => ({ empresa_id: empresa }),
  consultar_auditoria: ({ empresa }) => ({ empresa_id: empresa }),
}

/** `example` of a tool. @throws Error for a tool that has none. */
export function toolExample(nome: string, ids: RecordIds): object {
  const example = toolExamples[nome]
  if (!example) throw new Error(`${nome}: test/walks/tool-examples.ts needs an example`)
  return example(ids)
}
