import { Alert, Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRouteContext, useSearch } from '@tanstack/react-router'
import { MAX_PASSAGEM, passagemDeTurnoSchema } from '@vigia/contracts/livro'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { formErrors } from '../../../ui/form-errors.ts'
import { Soft } from '../../../ui/page.tsx'
import classes from './livro.module.css'

/** Writes the hand-over of a shift into the book of the shown Empresa, or of the own one. */
export function HandOverForm() {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa } = useSearch({ from: '/painel' })
  const announce = useAnnounce()
  const [texto, setTexto] = useState('')
  const owner = empresa ?? me.empresa_id
  const { nome } = useEmpresa(owner)
  const writing = useMutation({
    mutationFn: () =>
      api.send(
        'POST',
        '/livro',
        { texto: texto.trim(), ...(owner !== null && { empresa_id: owner }) },
        passagemDeTurnoSchema,
      ),
    onSuccess() {
      setTexto('')
      announce(t('livro.escrita'))
      void queries.invalidateQueries({ queryKey: ['livro'] })
    },
  })
  if (me.papel === 'usuario') return null
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (texto.trim() !== '' && !writing.isPending) writing.mutate()
  }
  return (
    <form className={classes.form} onSubmit={send}>
      <TextInput
        label={nome === null ? t('livro.passagem') : t('livro.passagemDe', { nome })}
        placeholder={t('livro.exemplo')}
        value={texto}
        maxLength={MAX_PASSAGEM}
        autoComplete="off"
        disabled={owner === null}
        onChange={(event) => setTexto(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={writing.isPending} disabled={owner === null}>
        {t('livro.escrever')}
      </Button>
      {owner === null && <Soft>{t('livro.escolhaEmpresa')}</Soft>}
      {writing.error && (
        <Alert color="red" variant="light" role="alert">
          {formErrors(writing.error, []).general}
        </Alert>
      )}
    </form>
  )
}
