import type { Autor } from '../../../audit/audit-change.ts'

/** Label of an agent in the audit log: name and id, because programs choose their names freely. */
export const clientLabel = (client: { nome: string | null; client_id: string }): string =>
  `${client.nome ?? 'Sem nome'} (${client.client_id})`

/** Author of a request by a program without a login. */
export const programAuthor = (
  client: { nome: string | null; client_id: string },
  from: { endereco: string; pedido: string },
): Autor => ({
  usuarioId: null,
  username: null,
  origem: { canal: 'agente', cliente: clientLabel(client), ...from },
})
