import type { ObjetoAuditoria, RegistroAuditoria } from '@vigia/contracts/auditoria'

/** Page of one object, or of the list that contains it; null: no page shows it. */
const pages: Readonly<Record<ObjetoAuditoria, ((id: number) => string) | null>> = {
  empresa: () => '/empresas',
  usuario: () => '/pessoas',
  sessao: null,
  camera: (id) => `/cameras/${id}`,
  gravador: () => '/gravadores',
  edge: () => '/caixas',
  evento: (id) => `/eventos/${id}`,
  canal_notificacao: (id) => `/canais/${id}`,
  autorizacao_oauth: () => '/agentes',
  chave: () => '/chaves',
  quiosque: () => '/quiosques',
  convite: () => '/pessoas/convites',
  segundo_fator: () => '/pessoas',
  pendencia: () => '/pendencias',
  incidente: (id) => `/incidentes/${id}`,
  inscricao_push: null,
  treinamento: null,
  remetente: () => '/remetentes',
  gravacao: null,
  apagamento: () => '/retencao',
  retencao: () => '/retencao',
  placa: () => '/placas',
  passagem: () => '/passagens',
  relogio: null,
}

/** Address of the page that shows the object of a record; null: none, or the object was removed. */
export const auditLink = ({ acao, objeto, objeto_id }: RegistroAuditoria): string | null =>
  acao === 'remover' || objeto_id === null ? null : (pages[objeto]?.(objeto_id) ?? null)
