import type { Caller } from '../../http/caller.ts'
import { everyEffect } from '../../http/effects.ts'

/** The operator of the installation, for a use case without HTTP. */
export const operatorCaller = {
  usuarioId: 1,
  username: 'admin',
  papel: 'administrador',
  empresaId: null,
  alcance: 'abaixo',
  escopo: 'tudo',
  placasOcultas: new Set(),
  efeitos: everyEffect,
  origem: { canal: 'api', cliente: null, endereco: '127.0.0.1', pedido: 'teste' },
} as const satisfies Caller
