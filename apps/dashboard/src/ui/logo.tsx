/** The logo. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true">
      <path
        d="M4.5 16C7.4 10.9 11.4 8.3 16 8.3S24.6 10.9 27.5 16c-2.9 5.1-6.9 7.7-11.5 7.7S7.4 21.1 4.5 16Z"
        stroke="var(--v-accent)"
        strokeWidth="2.4"
        strokeLinejoin="round"
      />
      <circle cx="16" cy="16" r="4.3" fill="var(--v-accent)" />
    </svg>
  )
}
