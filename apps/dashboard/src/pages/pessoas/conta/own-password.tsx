import { Button, Checkbox, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { tokenRenovadoSchema } from '@vigia/contracts/sessoes'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { meusQuiosquesQuery } from '../../../api/people-queries.ts'
import { checkPassword, emptyPassword, type FormularioSenha } from '../../../domains/pessoas/conta/password-form.ts'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Row } from '../../../ui/layout.tsx'
import { useApiForm } from '../../../ui/use-api-form.ts'
import classes from './conta.module.css'

/** Change of the own password. */
export function OwnPassword({ username }: { readonly username: string }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <section className={classes.factor} aria-labelledby="senha">
      <h2 id="senha">{t('sessoes.senha.titulo')}</h2>
      <p>{t('sessoes.senha.texto')}</p>
      <Row gap={6}>
        <Button variant="default" onClick={() => setOpen(true)}>
          {t('sessoes.senha.mudar')}
        </Button>
      </Row>
      {open && <ChangePassword username={username} onClose={() => setOpen(false)} />}
    </section>
  )
}

function ChangePassword({ username, onClose }: { readonly username: string; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const { me } = useRouteContext({ from: '/painel' })
  const makesQuiosques = me.papel === 'administrador'
  const screens = useQuery({ ...meusQuiosquesQuery(api), enabled: makesQuiosques })
  /** Ids of the quiosques that go on, as text. */
  const [kept, setKept] = useState<string[]>([])
  const form = useApiForm({
    initial: emptyPassword,
    check: checkPassword,
    sentence: (problem) => t(`sessoes.senha.${problem}`),
  })
  const change = useMutation({
    mutationFn: ({ atual, nova }: FormularioSenha) =>
      api.send('POST', '/me/senha', { atual, nova, quiosques: kept.map(Number) }, tokenRenovadoSchema),
    onSuccess() {
      // Every other session has ended, and this page has a new one.
      void queries.invalidateQueries({ queryKey: ['sessoes'] })
      void queries.invalidateQueries({ queryKey: ['me'] })
      void queries.invalidateQueries({ queryKey: ['quiosques'] })
      announce(t('sessoes.senha.mudada'))
      onClose()
    },
    onError: form.refuse,
    gcTime: 0,
  })
  return (
    <FormDialog
      title={t('sessoes.senha.mudar')}
      submit={t('sessoes.senha.mudar')}
      busy={change.isPending || (makesQuiosques && screens.isPending)}
      form={form}
      onClose={onClose}
      onSubmit={change.mutate}
    >
      <p>{t('sessoes.senha.efeito')}</p>
      {/* A password manager needs the username beside the passwords. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <TextInput
        label={t('sessoes.senha.atual')}
        type="password"
        autoComplete="current-password"
        maxLength={1024}
        data-autofocus
        {...form.field('atual')}
      />
      <TextInput
        label={t('sessoes.senha.nova')}
        description={t('sessoes.senha.regra')}
        type="password"
        autoComplete="new-password"
        maxLength={1024}
        {...form.field('nova')}
      />
      <TextInput
        label={t('sessoes.senha.repetida')}
        type="password"
        autoComplete="new-password"
        maxLength={1024}
        {...form.field('repetida')}
      />
      {screens.isError && <p>{t('sessoes.senha.quiosques.falha')}</p>}
      {screens.data && screens.data.length > 0 && (
        <Checkbox.Group
          label={t('sessoes.senha.quiosques.titulo')}
          description={t('sessoes.senha.quiosques.texto')}
          value={kept}
          onChange={setKept}
        >
          <Stack gap="xs" mt="xs">
            {screens.data.map(({ id, nome }) => (
              <Checkbox key={id} value={String(id)} label={nome} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </FormDialog>
  )
}
