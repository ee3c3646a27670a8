import type { Autor } from '../../audit/audit-change.ts'

/** An agent as the audit log names it: any program may call itself anything, so its id stands beside the name. */
export const clientLabel = (client: { nome: string | null; client_id: string }): string =>
  `${client.nome ?? 'Sem nome'} (${client.client_id})`

/** A program that acts by itself, no login behind the request. */
export const programAuthor = (
  client: { nome: string | null; client_id: string },
  from: { endereco: string; pedido: string },
): Autor => ({
  usuarioId: null,
  username: null,
  origem: { canal: 'agente', cliente: clientLabel(client), ...from },
})
