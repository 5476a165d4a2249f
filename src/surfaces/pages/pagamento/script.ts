/**
 * Comfort on a payment page: codes are copied with a tap, and what changes while the page is open (a payment, a new day's amount) is
 * shown. It asks our own host alone, only while somebody looks, and the page does without it.
 */
export const SCRIPT = String.raw`
(() => {
  const dizer = (campo, texto) => {
    document.getElementById(campo.id + '-dito').textContent = texto;
  };
  const copiar = async (campo) => {
    try {
      await navigator.clipboard.writeText(campo.value);
      return true;
    } catch {
      campo.focus();
      campo.select();
      return document.execCommand('copy');
    }
  };
  for (const botao of document.querySelectorAll('button[data-copia]')) {
    botao.hidden = false;
    const campo = document.getElementById(botao.dataset.copia);
    botao.addEventListener('click', async () => {
      const deu = await copiar(campo).catch(() => false);
      dizer(campo, deu ? 'Código copiado.' : 'Não foi possível copiar: selecione o código e copie.');
    });
  }

  const acompanhada = document.querySelector('[data-estado]');
  if (acompanhada === null) return;
  const aberta = Date.now();
  // Whoever pays does so in the first minutes; a page forgotten open asks less and less.
  const intervalo = () => (Date.now() - aberta < 600000 ? 5000 : 60000);
  let espera;
  const consultar = async () => {
    clearTimeout(espera);
    if (document.visibilityState !== 'visible') return;
    espera = setTimeout(consultar, intervalo());
    try {
      const resposta = await fetch(location.pathname + '/situacao', { cache: 'no-store' });
      if (resposta.ok && (await resposta.json()).estado !== acompanhada.dataset.estado) location.reload();
    } catch {
      // Out of reach for a moment: asked again.
    }
  };
  espera = setTimeout(consultar, intervalo());
  document.addEventListener('visibilitychange', consultar);
})();
`;
