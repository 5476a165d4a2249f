import type { ChaveDaEquipe } from '../../../domain/chaves/uso/leitura.service.ts';
import { html } from '../../../kit/html/html.ts';
import { aviso, cartao } from '../componentes/cartao.ts';
import { dia } from '../componentes/escrita.ts';
import { escolha } from '../formulario/campos.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { formulario } from '../formulario/formulario.ts';
import type { Tela } from '../rota.ts';
import { CAMINHO, migalhasDaChave } from './telas.ts';

/** How long the key that is there goes on. */
const PRAZOS = Array.from({ length: 8 }, (_, n) => ({
  valor: String(n),
  texto: n === 0 ? 'para já: a de agora para no mesmo instante' : n === 1 ? 'mais 1 dia' : `mais ${n} dias`,
}));

/** Asks how long the key that is there shall go on beside the new one. */
export function telaDeRenovar(fuso: string, chave: ChaveDaEquipe, estado: EstadoDoFormulario): Tela {
  const para = `${CAMINHO}/${chave.id}`;
  return {
    titulo: `Renovar a chave de ${chave.nome}`,
    menu: 'api',
    migalhas: [...migalhasDaChave, [chave.nome, para]],
    corpo: html`<div class="largura-leitura">
      ${chave.expiraEm === null ? null : aviso('info', `A nova chave também vale até ${dia(fuso, chave.expiraEm)}.`)}
      ${cartao(
        null,
        formulario({
          para: `${para}/renovar`,
          estado,
          rotulos: { dias: 'A chave de agora vale' },
          enviar: 'Criar a nova chave',
          volta: para,
          corpo: html`<p>
              Cria outra chave com o mesmo nome, as mesmas permissões e os mesmos limites. Enquanto as duas valem,
              troque uma pela outra no sistema que a usa.
            </p>
            ${escolha(estado, { nome: 'dias', rotulo: 'A chave de agora vale', opcoes: PRAZOS, obrigatorio: true })}`,
        }),
      )}
    </div>`,
  };
}
