import { describe, expect, it } from 'vitest'
import { sampleAttachments } from '../test/records/attachments.ts'
import { canBeBasePath, headerBelow, jsonBelow, pageBelow, withoutBasePath } from './base-path.ts'

it.each(['', '/vigia', '/a/b', '/sites/loja-1', '/apis'])('%j can be a base path', (path) => {
  expect(canBeBasePath(path)).toBe(true)
})

it.each([
  '/api',
  '/api/vigia',
  '/mcp',
  '/oauth',
  '/assets',
  '/.well-known',
  '/a//b',
  '/a/../b',
  '/a b',
  '/%61',
  '/a;b',
])('%j cannot be a base path', (path) => {
  expect(canBeBasePath(path)).toBe(false)
})

describe('the path for the routes', () => {
  it.each([
    ['/vigia', '/'],
    ['/vigia/', '/'],
    ['/vigia/api/v1/me', '/api/v1/me'],
    ['/.well-known/oauth-authorization-server/vigia', '/.well-known/oauth-authorization-server'],
    ['/.well-known/oauth-protected-resource/vigia/mcp', '/.well-known/oauth-protected-resource/mcp'],
    ['/vigia/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource/mcp'],
    // This machine, or a proxy that takes the base path away, asks so.
    ['/api/v1/me', '/api/v1/me'],
    ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource/mcp'],
    ['/vigiax/api', '/vigiax/api'],
  ])('of %s is %s', (path, routed) => {
    expect(withoutBasePath('/vigia', path)).toBe(routed)
    expect(withoutBasePath('', path)).toBe(path)
  })
})

it('puts addresses of the API below the path, and nothing else', () => {
  const value = { crop_url: '/api/v1/crops/1', a: [{ url: '/api/v1/x' }], nome: '/api/v1/x', rtsp_url: 'rtsp://h/1' }
  const moved = { ...value, crop_url: '/vigia/api/v1/crops/1', a: [{ url: '/vigia/api/v1/x' }] }
  expect(JSON.parse(jsonBelow('/vigia')(value))).toEqual(moved)
  expect(jsonBelow('')(value)).toBe(JSON.stringify(value))
})

it('puts headers and pages below the path, and no absolute address', () => {
  const link = '</api/v1/events?cursor=a>; rel="next"'
  expect(headerBelow('/vigia', link)).toBe('</vigia/api/v1/events?cursor=a>; rel="next"')
  expect(headerBelow('/vigia', '/login?erro=codigo')).toBe('/vigia/login?erro=codigo')
  for (const other of ['http://127.0.0.1:1/callback?code=a', 'com.app:/x', '//h/x'])
    expect(headerBelow('/vigia', other)).toBe(other)
  const page = '<a href="/b"></a><form action="/c"><img src="/d"><a href="https://h/"></a><a href="//h">'
  const moved = '<a href="/v/b"></a><form action="/v/c"><img src="/v/d"><a href="https://h/"></a><a href="//h">'
  expect(pageBelow('/v', page)).toBe(moved)
})

it('messages for programs name the pictures below the path', () => {
  const { json } = sampleAttachments('https://servidor.exemplo.br/vigia')
  expect(json({ evento: { crop_url: '/api/v1/crops/1' } })).toBe('{"evento":{"crop_url":"/vigia/api/v1/crops/1"}}')
  expect(sampleAttachments(null).json({ crop_url: '/api/v1/crops/1' })).toBe('{"crop_url":"/api/v1/crops/1"}')
})
