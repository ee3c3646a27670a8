import type { SameTexts } from './shape.ts'

type Avisos = typeof import('./pt-br-avisos.ts')

/** English texts about alerts on the devices of a login (Web Push). */
export const avisos: SameTexts<Avisos['avisos']> = {
  titulo: 'Alerts on this device',
  ligado: 'On',
  desligado: 'Off',
  texto:
    'With alerts on, this device shows each confirmed incident, with its picture, also with the dashboard closed. ' +
    'Signing out on this device turns alerts off.',
  nivel: 'Alert from',
  niveis: {
    baixa: 'Any severity',
    media: 'Medium severity and above',
    alta: 'High severity and above',
    critica: 'Critical severity only',
  },
  ligar: 'Turn alerts on',
  desligar: 'Turn off',
  testar: 'Send a test alert',
  outros: 'Other devices of this login',
  retirar: 'Remove',
  retirarRotulo: 'Stop alerts: {{nome}}',
  entregue: 'Last alert {{quando}}',
  anuncio: {
    ligado: 'Alerts turned on on this device.',
    desligado: 'Alerts turned off on this device.',
    testado: 'Test alert sent.',
    retirado: 'The device receives no more alerts.',
  },
  problema: {
    semHttps:
      'Alerts need an https address. Open the dashboard by its https address, or ask the administrator for one.',
    instalar: 'On an iPhone or iPad, first put the dashboard on the home screen: Share, Add to Home Screen.',
    semSuporte: 'This browser receives no alerts. Use a current Chrome, Edge, Firefox or Safari.',
    bloqueado: 'The browser blocks notifications of this address. Allow them in the site settings and return here.',
    recusado: 'The browser could not subscribe to its push service. Check the internet connection and try again.',
  },
}
