import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { MAX_FRASES, preferenciasSchema } from '@vigia/contracts/preferencias'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../ui/dialog.tsx'
import { formErrors } from '../../../ui/form-errors.ts'
import { Column } from '../../../ui/layout.tsx'
import classes from './phrases-dialog.module.css'

interface PhrasesDialogProps {
  readonly frases: readonly string[]
  /** Rejects with the error of the cloud. */
  readonly onSave: (frases: string[]) => Promise<void>
  readonly onClose: () => void
}

/** The phrases that a login puts into its notes. */
export function PhrasesDialog({ frases, onSave, onClose }: PhrasesDialogProps) {
  const { t } = useTranslation()
  const [rows, setRows] = useState(() => (frases.length > 0 ? frases : ['']).map((texto, id) => ({ id, texto })))
  const saving = useMutation({
    mutationFn: () => onSave([...new Set(rows.map(({ texto }) => texto.trim()).filter(Boolean))]),
    onSuccess: onClose,
  })
  const change = (id: number, texto: string) => setRows(rows.map((row) => (row.id === id ? { id, texto } : row)))
  return (
    <Dialog
      title={t('plantao.nota.tituloFrases')}
      submit={t('comum.salvar')}
      busy={saving.isPending}
      failure={saving.error ? formErrors(saving.error, []).general : null}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      <Column gap={5}>
        <p>{t('plantao.nota.ajudaFrases', { total: MAX_FRASES })}</p>
        {rows.map(({ id, texto }, index) => (
          <div key={id} className={classes.row}>
            <TextInput
              aria-label={t('plantao.nota.frase', { n: index + 1 })}
              value={texto}
              error={texto !== '' && !phrase.safeParse(texto).success && t('plantao.nota.invalida')}
              onChange={(event) => change(id, event.currentTarget.value)}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={t('plantao.nota.tirar', { n: index + 1 })}
              onClick={() => setRows(rows.filter((row) => row.id !== id))}
            >
              <IconTrash size={18} aria-hidden="true" />
            </ActionIcon>
          </div>
        ))}
        <Button
          variant="default"
          size="sm"
          disabled={rows.length >= MAX_FRASES}
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          onClick={() => setRows([...rows, { id: Math.max(-1, ...rows.map((row) => row.id)) + 1, texto: '' }])}
        >
          {t('plantao.nota.mais')}
        </Button>
      </Column>
    </Dialog>
  )
}

const phrase = preferenciasSchema.shape.frases.element
