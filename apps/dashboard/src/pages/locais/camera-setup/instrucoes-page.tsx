import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Soft } from '../../../ui/page.tsx'
import classes from './camera.module.css'
import { instructionsOf, problemOf, textOf } from './instructions.ts'
import { SaveBar } from './save-bar.tsx'
import { useCameraSave } from './use-camera-save.ts'

const FIELDS = ['instrucoes'] as const

/** Instructions of the camera, one a line. */
export function InstrucoesPage() {
  const { t } = useTranslation()
  const save = useCameraSave(FIELDS)
  const { opened } = save
  const [text, setText] = useState(() => textOf(opened.instrucoes))
  const instrucoes = instructionsOf(text)
  const problem = problemOf(instrucoes)
  const dirty = JSON.stringify(instrucoes) !== JSON.stringify(opened.instrucoes)
  return (
    <div className={classes.narrow}>
      <Soft>{t('camera.instrucoes.ajuda')}</Soft>
      <Textarea
        label={t('camera.instrucoes.campo')}
        description={t('camera.instrucoes.umaPorLinha')}
        placeholder={t('camera.instrucoes.exemplo')}
        rows={8}
        value={text}
        error={problem && t(`camera.instrucoes.${problem}`)}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <SaveBar
        save={save}
        patch={dirty ? { instrucoes: [...instrucoes] } : null}
        problems={problem ? [t(`camera.instrucoes.${problem}`)] : []}
        onReset={(stored) => setText(textOf(stored.instrucoes))}
      />
    </div>
  )
}
