import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Fields } from '../../../ui/fields.tsx'
import { FoldHead } from '../../../ui/fold.tsx'
import type { ApiForm } from '../../../ui/use-api-form.ts'
import classes from './canais.module.css'
import type { CampoMensagem } from './canal-form.ts'
import { MessageFields } from './message-fields.tsx'

const fields = [
  'quedas',
  'gravidade_min',
  'certeza_min',
  'agrupar',
  'continuacao',
  'intervalo_s',
  'resumo_hora',
  'politica',
  'placas',
] as const satisfies readonly CampoMensagem[]

/** The fields that a canal needs rarely. They open by themselves when the cloud refuses one of them. */
export function MoreOptions({ form }: { readonly form: ApiForm<CampoMensagem> }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const isRefused = fields.some((name) => form.field(name).error !== undefined)
  return (
    <details
      className={classes.more}
      open={open || isRefused}
      onToggle={(event) => setOpen(event.currentTarget.open || isRefused)}
    >
      <FoldHead className={classes.moreHead}>
        <IconChevronDown size={18} aria-hidden="true" />
        {t('canais.formulario.maisOpcoes')}
      </FoldHead>
      <Fields>
        <MessageFields form={form} />
      </Fields>
    </details>
  )
}
