import { MantineProvider } from '@mantine/core'
import { modoBConfigSchema } from '@vigia/contracts/cameras'
import { fieldsOf } from '@vigia/contracts/form-fields'
import { renderToStaticMarkup } from 'react-dom/server'
import { I18nextProvider } from 'react-i18next'
import { describe, expect, it } from 'vitest'
import { createTexts } from '../../../texts/i18n.ts'
import { idiomas } from '../../../texts/idiomas.ts'
import { SchemaFields } from '../../../ui/schema-fields.tsx'
import { modeBKey, useModeBTexts } from './mode-b-texts.ts'

const { shape } = modoBConfigSchema
/** The schema with two more fields: a switch and a threshold. */
const longer = { ...shape, dicas: shape.alertar_permitidas, ajuda: shape.conf_placa }

function Form() {
  const values = { ...modoBConfigSchema.parse({ ativo: true }), dicas: true, ajuda: 0.4 }
  return <SchemaFields fields={fieldsOf(longer)} values={values} onChange={() => {}} textsOf={useModeBTexts()} />
}

describe('the form of Mode B', () => {
  it('shows a field that the schema gains, with its text, bounds and value', async () => {
    const { i18n, load } = await createTexts('pt-BR')
    await load('placas')
    const page = renderToStaticMarkup(
      <I18nextProvider i18n={i18n}>
        <MantineProvider>
          <Form />
        </MantineProvider>
      </I18nextProvider>,
    )
    expect(page).toContain(i18n.t('placas.camera.ativo'))
    expect(page).toContain(i18n.t('placas.camera.dicas'))
    expect(page).toContain(i18n.t('placas.camera.ajuda'))
    expect(page).toMatch(/<input[^>]*type="number"[^>]*min="0"[^>]*max="1"[^>]*value="0.4"/)
    expect(page).toMatch(/<input[^>]*maxLength="80"/i)
  })

  it('has a text for every field in every language', async () => {
    for (const idioma of idiomas) {
      const { i18n, load } = await createTexts(idioma)
      await load('placas')
      for (const { name } of fieldsOf(shape)) expect([name, i18n.exists(modeBKey(name))]).toEqual([name, true])
    }
  })
})
