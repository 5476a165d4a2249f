/**
 * Comfort on the registration form: numbers are punctuated while they are typed, and a second tap does not send twice. It asks
 * nothing of any host, and the form does without it.
 */
export const SCRIPT = String.raw`
(() => {
  const formulario = document.querySelector('form');
  if (formulario === null) return;

  const botao = formulario.querySelector('button');
  const dizer = botao.textContent;
  let enviando = false;
  const liberar = () => {
    enviando = false;
    botao.textContent = dizer;
    botao.removeAttribute('aria-disabled');
  };
  formulario.addEventListener('submit', (evento) => {
    if (enviando) {
      evento.preventDefault();
      return;
    }
    enviando = true;
    botao.textContent = 'Enviando…';
    botao.setAttribute('aria-disabled', 'true');
    setTimeout(liberar, 10000);
  });
  addEventListener('pageshow', liberar);

  const em = (texto, ...cortes) => {
    let pronto = '';
    for (const [tamanho, antes] of cortes) {
      if (texto === '') break;
      pronto += antes + texto.slice(0, tamanho);
      texto = texto.slice(tamanho);
    }
    return pronto + texto;
  };
  const digitos = (texto) => texto.replace(/\D/g, '');
  const telefone = (texto) => {
    const numero = digitos(texto);
    if (texto.includes('+') || numero.length > 11) return texto;
    return numero.length < 3 ? numero : em(numero, [2, '('], [numero.length > 10 ? 5 : 4, ') '], [4, '-']);
  };
  const mascaras = {
    documento(texto) {
      const limpo = texto.toUpperCase().replace(/[^0-9A-Z]/g, '');
      if (limpo.length > 14) return texto;
      if (/^\d{0,11}$/.test(limpo)) return em(limpo, [3, ''], [3, '.'], [3, '.'], [2, '-']);
      return em(limpo, [2, ''], [3, '.'], [3, '.'], [4, '/'], [2, '-']);
    },
    nascimento: (texto) =>
      /^\d{4}-/.test(texto) || digitos(texto).length > 8 ? texto : em(digitos(texto), [2, ''], [2, '/'], [4, '/']),
    telefone,
    telefone2: telefone,
    cep: (texto) => (digitos(texto).length > 8 ? texto : em(digitos(texto), [5, ''], [3, '-'])),
  };
  for (const nome in mascaras) {
    const campo = formulario.elements[nome];
    campo.addEventListener('input', (evento) => {
      // Whoever deletes, or mends what stands in the middle, is left alone.
      const mexe = /^delete/.test(evento.inputType || '') || campo.selectionStart !== campo.value.length;
      if (!mexe) campo.value = mascaras[nome](campo.value);
    });
  }
})();
`;
