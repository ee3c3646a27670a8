import type { RegistroAuditoria } from '@vigia/contracts/auditoria'

/** Returns a valid audit record for tests, with the fields of `over` replaced. */
export const fixtureRegistro = (over: Partial<RegistroAuditoria> = {}): RegistroAuditoria => ({
  id: 1,
  em: '2026-11-21T12:00:00.000Z',
  empresa_id: 1,
  usuario_id: 2,
  username: 'ana',
  canal: 'painel',
  cliente: null,
  endereco: '127.0.0.1',
  pedido: '6d3f7f0e-3c55-4d0c-9a5e-0c3a1f1f8f11',
  acao: 'alterar',
  objeto: 'camera',
  objeto_id: 7,
  objeto_nome: 'Portão',
  antes: { nome: 'Porta' },
  depois: { nome: 'Portão' },
  ...over,
})
