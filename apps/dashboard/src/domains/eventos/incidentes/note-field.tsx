import { Button, TextInput } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePreferencias } from '../../../session/use-preferencias.ts'
import classes from './note-field.module.css'
import { type Answering, NOTE_ID, useMayWork } from './use-answer.ts'

const PhrasesDialog = lazy(async () => ({ default: (await import('./phrases-dialog.tsx')).PhrasesDialog }))

/** Characters of a note (contracts, AtendimentoCreate). */
const MAX_NOTE = 500

/** Note of the next answer, with the person's own phrases. */
export function NoteField({ answering: { nota, write } }: { answering: Answering }) {
  const { t } = useTranslation()
  const mayWork = useMayWork()
  const { preferencias, save } = usePreferencias()
  const [isOpen, setOpen] = useState(false)
  if (!mayWork) return null
  return (
    <div className={classes.note}>
      <TextInput
        id={NOTE_ID}
        label={t('plantao.nota.rotulo')}
        placeholder={t('plantao.nota.exemplo')}
        value={nota}
        maxLength={MAX_NOTE}
        autoComplete="off"
        onChange={(event) => write(event.currentTarget.value)}
        // The keys of the answers work again.
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
      <div className={classes.phrases}>
        {preferencias.frases.map((frase) => (
          <button
            key={frase}
            type="button"
            className={classes.phrase}
            title={frase}
            onClick={() => write([nota.trim(), frase].filter(Boolean).join(' ').slice(0, MAX_NOTE))}
          >
            {frase}
          </button>
        ))}
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setOpen(true)}>
          {t('plantao.nota.frases')}
        </Button>
      </div>
      {isOpen && (
        <Suspense>
          <PhrasesDialog
            frases={preferencias.frases}
            onSave={(frases) => save({ frases })}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </div>
  )
}
