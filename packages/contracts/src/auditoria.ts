import { z } from 'zod'
import { camposPagina } from './paginas.ts'
import { idLongoTexto, idTexto, instanteComFusoSchema, instanteSchema } from './values.ts'

/**
 * Channel of a change: `painel` (session cookie), `api` (Bearer session), `agente` (OAuth token), `chave` (API key),
 * `edge`, `sistema` (the program itself).
 */
export const canaisAuditoria = ['painel', 'api', 'agente', 'chave', 'edge', 'sistema'] as const
export type CanalAuditoria = (typeof canaisAuditoria)[number]

/** Actions of audit records. The reference and the dashboard derive their actions from this list. */
export const acoesAuditoria = [
  'criar',
  'alterar',
  'remover',
  'revisar',
  'exportar',
  'testar',
  'reiniciar',
  'ativar',
  'emitir_codigo',
  'trocar_segredo',
  'entrar',
  'sair',
  'autorizar',
  'recusar',
  'revogar',
  'repetir',
  'atender',
  'silenciar',
  'mover',
  'varrer',
  'aceitar',
  'assistir',
  'buscar_clipe',
  'abrir_clipe',
  'preservar',
  'liberar',
  'buscar',
  'abrir_portao',
  'corrigir',
  'confirmar',
] as const
export type AcaoAuditoria = (typeof acoesAuditoria)[number]

/** Objects of audit records. */
export const objetosAuditoria = [
  'relogio',
  'empresa',
  'usuario',
  'sessao',
  'camera',
  'gravador',
  'edge',
  'evento',
  'canal_notificacao',
  'autorizacao_oauth',
  'chave',
  'quiosque',
  'convite',
  'segundo_fator',
  'pendencia',
  'incidente',
  'inscricao_push',
  'treinamento',
  'remetente',
  'retencao',
  'gravacao',
  'apagamento',
  'placa',
  'passagem',
] as const
export type ObjetoAuditoria = (typeof objetosAuditoria)[number]

const campos = z.record(z.string(), z.unknown())

export const registroAuditoriaSchema = z
  .object({
    id: z.int(),
    em: instanteSchema,
    empresa_id: z.int().nullable().describe('A Empresa do que foi mudado; null: da instalação.'),
    usuario_id: z.int().nullable(),
    username: z.string().nullable().describe('Quem fez, como o login se chamava na hora; null: nenhum login.'),
    canal: z
      .enum(canaisAuditoria)
      .describe('Por onde: painel, API, agente (MCP), chave de integração, a própria caixa, ou o sistema.'),
    cliente: z
      .string()
      .nullable()
      .describe('O agente, como ele mesmo se chamou, e o seu `client_id`; ou o nome da chave.'),
    endereco: z.string().nullable().describe('Endereço IP de onde veio.'),
    pedido: z.string().nullable().describe('O mesmo do cabeçalho `X-Request-Id` da resposta.'),
    acao: z.enum(acoesAuditoria),
    objeto: z.enum(objetosAuditoria),
    objeto_id: z.int().nullable(),
    objeto_nome: z.string().nullable().describe('Como se chamava na hora.'),
    antes: campos.nullable().describe('Os campos que mudaram, como eram. Segredos aparecem como `****`.'),
    depois: campos.nullable().describe('Os mesmos campos, como ficaram.'),
  })
  .meta({ id: 'RegistroAuditoria' })
export type RegistroAuditoria = z.infer<typeof registroAuditoriaSchema>

export const auditoriaQuerySchema = z.object({
  empresa_id: idTexto.optional(),
  usuario_id: idTexto.optional(),
  objeto: z.enum(objetosAuditoria).optional(),
  objeto_id: idLongoTexto.optional(),
  acao: z.enum(acoesAuditoria).optional(),
  canal: z.enum(canaisAuditoria).optional(),
  desde: instanteComFusoSchema.optional().describe('Inclusive.'),
  ate: instanteComFusoSchema.optional().describe('Exclusive.'),
  ...camposPagina,
})
export type AuditoriaQuery = z.infer<typeof auditoriaQuerySchema>
