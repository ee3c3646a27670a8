import { usuarioCreateSchema, usuarioSchema } from '@vigia/contracts/usuarios'
import { z } from 'zod'
import type { Clock } from '../../adapters/clock.ts'
import type { Database } from '../../db/open.ts'
import { scopeIds } from '../../http/caller.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { createUsuario } from './create-usuario.ts'
import type { Passwords } from './passwords.ts'
import { listUsuarios } from './store.ts'
import { viewUsuario } from './view-usuario.ts'

interface UsuariosDeps {
  readonly db: Database
  readonly clock: Clock
  readonly passwords: Passwords
}

export const usuariosRoutes = (deps: UsuariosDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/usuarios',
    acesso: 'sessao',
    resumo: 'Logins no escopo do login',
    respostas: { 200: z.array(usuarioSchema) },
    handler: async ({ caller }) => {
      const rows = await listUsuarios(deps.db, scopeIds(caller))
      return { status: 200, body: rows.map(viewUsuario) }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/v1/usuarios',
    acesso: 'escrita',
    resumo: 'Cria um login',
    json: usuarioCreateSchema,
    respostas: { 201: usuarioSchema },
    handler: async ({ caller, json }) => ({ status: 201, body: await createUsuario(deps, caller, json) }),
  }),
]
