import test from 'ava';
import { constante, html, paraTexto } from '../../../src/surfaces/pages/html.ts';

test('todo texto posto num pedaço de HTML é escapado, no conteúdo e entre aspas', (t) => {
  const texto = `<b a="1" c='2'>&amp;</b>`;
  const escapado = '&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;&lt;/b&gt;';
  t.is(paraTexto(html`<p title="${texto}">${texto}</p>`), `<p title="${escapado}">${escapado}</p>`);
});

test('pedaços entram como são, listas em ordem, nulos como nada e números como texto', (t) => {
  const itens = ['<', '>'].map((texto) => html`<i>${texto}</i>`);
  t.is(paraTexto(html`${itens}${null}${0}${constante('<hr>')}`), '<i>&lt;</i><i>&gt;</i>0<hr>');
  t.is(paraTexto(html``), '');
});
