import { defineLimits, none } from '@vigia/contracts/limit-rows'
import { MOST_READS } from './client-documents.ts'
import { MOST_TICKETS } from './consent.ts'
import { MOST_EMPRESAS } from './pages/consent-page.ts'
import { MOST_CLIENTS } from './register-client.ts'

/** Programs that act for a login. */
export const limitRows = defineLimits([
  {
    what: 'Agents: registered programs',
    who: 'everybody',
    item: { limit: '64 KiB', test: 'is rejected if it is no JSON or too large' },
    connection: none('counted by network (Rate: registrations of programs)'),
    edge: none('an edge registers none'),
    empresa: none('a program has no Empresa before a consent'),
    root: none('a program has no Empresa before a consent'),
    installation: {
      limit: `${MOST_CLIENTS.toLocaleString('en')}; above them the oldest unused one goes`,
      test: 'is deleted at the limit if it was never used; used clients stay',
    },
  },
  {
    what: 'Agents: documents of programs that are read',
    who: 'everybody',
    item: { limit: '10,000 characters, 5 s', test: 'that is too long' },
    connection: none('counted by network (Rate: registrations of programs)'),
    edge: none('an edge has none'),
    empresa: none('a program has no Empresa before a consent'),
    root: none('a program has no Empresa before a consent'),
    installation: { limit: `${MOST_READS} at the same time in a process`, test: 'while eight others are read' },
  },
  {
    what: 'Agents: open consent pages',
    who: 'login',
    item: { limit: '10 minutes', test: 'expires after ten minutes, and with its program' },
    connection: { limit: `${MOST_TICKETS} of one login`, test: 'is stored as a hash, at most ten per login' },
    edge: none('an edge has none'),
    empresa: none('its logins are limited'),
    root: none('its logins are limited'),
    installation: none('the operator creates the root Empresas'),
  },
  {
    what: 'Agents: Empresas on the consent page',
    who: 'login',
    item: { limit: `${MOST_EMPRESAS}, by id`, test: 'offers at most 500 Empresas on the page' },
    connection: none('the open pages of a login are limited (Agents: open consent pages)'),
    edge: none('an edge has none'),
    empresa: none('a page stores nothing of them'),
    root: none('a page stores nothing of them'),
    installation: none('a page stores nothing of them'),
  },
  {
    what: 'Agents: codes and tokens of an authorization',
    who: 'agent',
    item: {
      limit: 'a code lives for a minute, a refresh token for 30 days',
      test: 'deletes expired rows after their retention time, and no valid ones',
    },
    connection: {
      limit: 'the renewals of one authorization have the rate of its messages',
      test: 'limits the renewals of one authorization, keeps its token valid and does not affect others',
    },
    edge: none('an edge has none'),
    empresa: none('its agents are limited (Objects: agentes)'),
    root: none('its agents are limited (Objects: agentes)'),
    installation: none('the operator creates the root Empresas'),
  },
])
