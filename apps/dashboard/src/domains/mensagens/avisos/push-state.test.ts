import { expect, it } from 'vitest'
import { type PushFacts, pushState } from './push-state.ts'

const ready: PushFacts = {
  secure: true,
  supported: true,
  needsInstall: false,
  permission: 'granted',
  subscribed: true,
}

it.each<[string, Partial<PushFacts>, string]>([
  ['a subscribed browser', {}, 'ligado'],
  ['a browser without a subscription', { subscribed: false }, 'desligado'],
  ['a browser that has not asked yet', { permission: 'default', subscribed: false }, 'desligado'],
  ['a subscription whose permission was reset', { permission: 'default' }, 'desligado'],
  ['a refused permission', { permission: 'denied' }, 'bloqueado'],
  ['a browser without the Push API', { supported: false, permission: 'default', subscribed: false }, 'semSuporte'],
  ['a page of an iPhone outside its home screen', { supported: false, needsInstall: true }, 'instalar'],
  ['a page without HTTPS', { secure: false, supported: false, needsInstall: true }, 'semHttps'],
])('%s', (_name, change, state) => {
  expect(pushState({ ...ready, ...change })).toBe(state)
})
