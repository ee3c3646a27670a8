/** Text that runs a script wherever a page inserts it as markup. */
export const HOSTILE = `<img src=x onerror="globalThis.hostil=1"><script>globalThis.hostil=1</script>"'&{{nome}}$t(comum.sim)`
