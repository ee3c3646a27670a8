import { defineLimits, none } from '@vigia/contracts/limit-rows'
import { MAX_INSCRICOES } from '@vigia/contracts/push'

/** Browsers that receive messages. */
export const limitRows = defineLimits([
  {
    what: 'Push: browsers and their messages',
    who: 'login',
    item: { limit: 'a message ends after seven days', test: 'ends after seven days, and cannot be changed' },
    connection: { limit: `${MAX_INSCRICOES} browsers of one login`, test: 'have a maximum per login' },
    edge: none('one message for each incidente'),
    empresa: none('its logins are limited'),
    root: none('its logins are limited'),
    installation: none('the operator creates the root Empresas'),
  },
])
