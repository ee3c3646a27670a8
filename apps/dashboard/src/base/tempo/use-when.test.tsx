import type { HoraIncerta } from '@vigia/contracts/hora-incerta'
import { renderToStaticMarkup } from 'react-dom/server'
import { I18nextProvider } from 'react-i18next'
import { expect, it } from 'vitest'
import { createTexts } from '../../texts/i18n.ts'
import { formatFull } from './format-time.ts'
import { useWhen } from './use-when.ts'

const em = '2020-11-20T12:00:00.000Z'
const When = ({ incerta }: { incerta: HoraIncerta | undefined }) =>
  useWhen()({ em, incerta }, 'America/Sao_Paulo', formatFull)

async function shown(incerta: HoraIncerta | undefined) {
  const { i18n } = await createTexts('pt-BR')
  return renderToStaticMarkup(
    <I18nextProvider i18n={i18n}>
      <When incerta={incerta} />
    </I18nextProvider>,
  )
}

it('is an interval where nobody knows the time', async () => {
  expect(await shown({ de: em, ate: '2020-11-23T15:30:00.000Z' })).toMatch(
    /^Hora incerta: entre 20\/11\/2020, 09:00:00 .* e 23\/11\/2020, 12:30:00 /,
  )
  expect(await shown(undefined)).toMatch(/^20\/11\/2020, 09:00:00 /)
})
