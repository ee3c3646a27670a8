import { Alert, Button, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ConviteAberto, conviteAbertoSchema, conviteAceitoSchema } from '@vigia/contracts/convites'
import { VigiaError } from '@vigia/contracts/errors'
import { type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SENHA_MIN } from '../../../domains/pessoas/conta/password-form.ts'
import { useServices } from '../../../session/services.ts'
import { Logo } from '../../../ui/logo.tsx'
import { useApiForm } from '../../../ui/use-api-form.ts'
import classes from './login-page.module.css'

/**
 * Page of an invited person. The token is in the fragment of the address, which the browser sends to no server, and
 * goes to the API in a body. Nothing about the Empresa is shown before the API accepts it.
 */
export function AcceptPage() {
  const { t } = useTranslation()
  const [token] = useState(() => location.hash.slice(1))
  useEffect(() => {
    document.title = `${t('convites.pagina.titulo')} · Vigia`
  }, [t])
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <div className={classes.brand}>
          <Logo size={44} />
          <h1>{t('convites.pagina.titulo')}</h1>
        </div>
        {token === '' ? (
          <p className={classes.error} role="alert">
            {t('convites.pagina.semToken')}
          </p>
        ) : (
          <Invitation token={token} />
        )}
      </div>
    </main>
  )
}

function Invitation({ token }: { readonly token: string }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { data, error } = useQuery({
    // Not the token: keys of queries are visible to developer tools.
    queryKey: ['convite-aberto'],
    queryFn: () => api.send('POST', '/convites/ver', { token }, conviteAbertoSchema),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (error)
    return (
      <p className={classes.error} role="alert">
        {error instanceof VigiaError ? error.detalhe : t('convites.pagina.falhou')}
      </p>
    )
  if (!data) return <p role="status">{t('convites.pagina.abrindo')}</p>
  return <ChooseLogin token={token} convite={data} />
}

type Campos = Record<'username' | 'password' | 'repetida', string>
type Problema = 'usuarioFalta' | 'senhaCurta' | 'diferente'
const empty: Campos = { username: '', password: '', repetida: '' }

function check({ username, password, repetida }: Readonly<Campos>): Partial<Record<keyof Campos, Problema>> {
  const problems: Partial<Record<keyof Campos, Problema>> = {}
  if (username.trim() === '') problems.username = 'usuarioFalta'
  if (password.length < SENHA_MIN) problems.password = 'senhaCurta'
  else if (password !== repetida) problems.repetida = 'diferente'
  return problems
}

function ChooseLogin({ token, convite }: { readonly token: string; readonly convite: ConviteAberto }) {
  const { t } = useTranslation()
  const { api, ownAddress } = useServices()
  const form = useApiForm({ initial: empty, check, sentence: (problem) => t(`convites.pagina.${problem}`) })
  const creation = useMutation({
    mutationFn: ({ username, password }: Campos) =>
      api.send('POST', '/convites/aceitar', { token, username, password }, conviteAceitoSchema),
    // The used token need not stay in the history.
    onSuccess: () => history.replaceState(null, '', location.pathname),
    onError: form.refuse,
    gcTime: 0,
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!creation.isPending) form.submit(creation.mutate)
  }
  if (creation.data)
    return (
      <div className={classes.form}>
        <p role="status">{t('convites.pagina.pronto', { nome: creation.data.username })}</p>
        <Button component="a" href={ownAddress('/login')} size="md" fullWidth>
          {t('convites.pagina.entrar')}
        </Button>
      </div>
    )
  const papel = t(`convites.pagina.papel.${convite.papel}`)
  return (
    <form onSubmit={send} noValidate className={classes.form}>
      {form.failure && (
        <Alert color="red" variant="light" role="alert">
          {form.failure}
        </Alert>
      )}
      <p>{t('convites.pagina.texto', { empresa: convite.empresa_nome, papel })}</p>
      <TextInput
        label={t('convites.pagina.usuario')}
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        maxLength={200}
        size="md"
        {...form.field('username')}
      />
      <TextInput
        label={t('convites.pagina.senha')}
        description={t('convites.pagina.senhaRegra')}
        type="password"
        autoComplete="new-password"
        maxLength={1024}
        size="md"
        {...form.field('password')}
      />
      <TextInput
        label={t('convites.pagina.repetida')}
        type="password"
        autoComplete="new-password"
        maxLength={1024}
        size="md"
        {...form.field('repetida')}
      />
      <Button type="submit" size="md" fullWidth loading={creation.isPending}>
        {t('convites.pagina.criar')}
      </Button>
    </form>
  )
}
