import { describe, expect, it } from 'vitest'
import { createPageStorage } from '../base/storage.ts'
import { rememberPath, takePath } from './return-path.ts'

describe('the return path after the sign-in', () => {
  // Node has no sessionStorage here, so that this tests the fallback for browsers without storage.
  const tab = () => createPageStorage('sessionStorage')

  it('is returned once, with filters', () => {
    const storage = tab()
    rememberPath(storage, { pathname: '/cameras', search: '?empresa=2' })
    expect(takePath(storage, '/')).toBe('/cameras?empresa=2')
    expect(takePath(storage, '/')).toBeNull()
  })

  it('does not replace a requested page, and never is the sign-in page', () => {
    const storage = tab()
    rememberPath(storage, { pathname: '/login', search: '' })
    expect(takePath(storage, '/')).toBeNull()
    rememberPath(storage, { pathname: '/', search: '?camera=1' })
    expect(takePath(storage, '/cameras')).toBeNull()
    expect(takePath(storage, '/')).toBe('/?camera=1')
  })

  it.each([
    '//fora.example/x',
    '/\\fora.example',
    '/\t/fora.example',
    '/\n\\fora.example',
    '//painel.invalid@fora.example',
    'https://fora.example',
    'javascript:alert(1)',
  ])('never is %s', (path) => {
    const storage = tab()
    storage.setItem('vigia.voltar', path)
    expect(takePath(storage, '/')).toBeNull()
  })
})
