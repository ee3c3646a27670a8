import { useClickOutside, useWindowEvent } from '@mantine/hooks'
import { IconDots } from '@tabler/icons-react'
import { useRouteContext, useRouterState } from '@tanstack/react-router'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink } from './nav-link.tsx'
import classes from './navigation.module.css'
import { navPages, pagesOf } from './navigation.ts'

const barPages = navPages.filter((page) => 'bar' in page)

/** On a phone: four pages within reach of the thumb, and the others behind "Mais". */
export function BottomNavigation() {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const list = useId()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const close = () => setOpen(false)
  const menu = useClickOutside<HTMLDivElement>(close)
  useWindowEvent('keydown', ({ key }) => {
    if (key !== 'Escape' || !open) return
    close()
    button.current?.focus()
  })
  useWindowEvent('focusin', ({ target }) => {
    if (target instanceof Node && !menu.current?.contains(target)) close()
  })
  const others = pagesOf(me)
    .map(({ grupo, pages }) => ({ grupo, pages: pages.filter((page) => !('bar' in page)) }))
    .filter(({ pages }) => pages.length > 0)
  const current = others.some(({ pages }) => pages.some(({ to }) => to === path))
  return (
    <nav className={classes.bottom} aria-label={t('painel.navegacao')}>
      {barPages.map((page) => (
        <NavLink key={page.to} page={page} />
      ))}
      <div ref={menu} className={classes.more}>
        <button
          ref={button}
          type="button"
          className={classes.link}
          aria-expanded={open}
          aria-controls={list}
          data-current={current || undefined}
          onClick={() => setOpen(!open)}
        >
          <IconDots size={20} aria-hidden="true" />
          <span>{t('painel.mais')}</span>
        </button>
        <div id={list} className={classes.sheet} hidden={!open}>
          {others.map(({ grupo, pages }) => (
            <div key={grupo} className={classes.group}>
              <p className={classes.heading}>{t(`painel.grupo.${grupo}`)}</p>
              <ul aria-label={t(`painel.grupo.${grupo}`)}>
                {pages.map((page) => (
                  <li key={page.to}>
                    <NavLink page={page} onClick={close} />
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      </div>
    </nav>
  )
}
