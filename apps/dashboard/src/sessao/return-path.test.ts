import { describe, expect, it } from 'vitest'
import { createPageStorage } from '../storage.ts'
import { rememberPath, takePath } from './return-path.ts'

describe('way back after the sign-in', () => {
  // Node has no sessionStorage of its own here, so this is also the storage of a browser that gives none.
  const tab = () => createPageStorage('sessionStorage')

  it('leads back once, with filters', () => {
    const storage = tab()
    rememberPath(storage, { pathname: '/cameras', search: '?empresa=2' })
    expect(takePath(storage, '/')).toBe('/cameras?empresa=2')
    expect(takePath(storage, '/')).toBeNull()
  })

  it('does not lead away from a page that was asked for, nor back to the sign-in', () => {
    const storage = tab()
    rememberPath(storage, { pathname: '/login', search: '' })
    expect(takePath(storage, '/')).toBeNull()
    rememberPath(storage, { pathname: '/', search: '?camera=1' })
    expect(takePath(storage, '/cameras')).toBeNull()
    expect(takePath(storage, '/')).toBe('/?camera=1')
  })

  it.each(['//fora.example/x', '/\\fora.example', 'https://fora.example', 'javascript:alert(1)'])(
    'never leads to %s',
    (path) => {
      const storage = tab()
      storage.setItem('vigia.voltar', path)
      expect(takePath(storage, '/')).toBeNull()
    },
  )
})
