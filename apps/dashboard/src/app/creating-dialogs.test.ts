import { expect, it } from 'vitest'

const sources: Record<string, string> = import.meta.glob(['../**/*.ts', '../**/*.tsx', '!../**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** Requests without a record of an Empresa: of the login, of the installation, or about many records. */
const others = /^\/(auth|me|relogio|pendencias)\/|^\/convites\/(ver|aceitar)$|^\/gravadores\/descobrir$|^\/empresas$/

/** Files that create a record without the id of another one in the path, and what they create. */
const creating = Object.entries(sources).flatMap(([file, text]) =>
  [...text.matchAll(/'POST', '([^']+)'/g)].flatMap(([, path = '']) =>
    others.test(path) ? [] : [{ file, path, text }],
  ),
)

const folderOf = (file: string) => file.slice(0, file.lastIndexOf('/'))
const showsOwner = (file: string) =>
  Object.entries(sources).some(([one, text]) => folderOf(one) === folderOf(file) && /<OwnerFields|owner=\{/.test(text))

it('finds the dialogs', () => {
  expect(creating.map(({ path }) => path).sort()).toEqual([
    '/cameras',
    '/chaves',
    '/convites',
    '/edges',
    '/gravadores/cadastrar',
    '/notificacoes',
    '/placas',
    '/placas/importar',
    '/quiosques',
  ])
})

it.each(creating)('$path names its Empresa', ({ file, path, text }) => {
  if (path === '/placas/importar') return expect(text).toMatch(/empresa_id: empresa }[\s\S]*empresaUnica/)
  expect(text).toMatch(/useOwner\(/)
  expect(showsOwner(file)).toBe(true)
})
