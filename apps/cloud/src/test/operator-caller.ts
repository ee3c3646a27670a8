import type { Caller } from '../http/caller.ts'

/** The operator of the installation, for a use case without HTTP. */
export const operatorCaller = {
  usuarioId: 1,
  username: 'admin',
  papel: 'administrador',
  empresaId: null,
  escopo: 'tudo',
  escondePlacas: false,
  origem: { canal: 'api', cliente: null, endereco: '127.0.0.1', pedido: 'teste' },
} as const satisfies Caller
