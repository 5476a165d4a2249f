import { html } from '../../../kit/html/html.ts';
import { aviso } from '../componentes/cartao.ts';
import { escreverReais } from '../componentes/escrita.ts';
import { conjunto, entrada } from '../formulario/campos.ts';
import { comFaltasEm, valorDe } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { formulario } from '../formulario/formulario.ts';
import type { Tela } from '../rota.ts';
import { exigirNota, telaSobreNota } from './nota.ts';
import type { DaNota } from './nota.ts';

/** Items that a form has fields for; a note of an invoice has two or three. */
const MAIS_ITENS = 20;

const campoDoItem = (item: number): `valor_${number}` => `valor_${item}`;
const NUMEROS = Array.from({ length: MAIS_ITENS }, (_, n) => n + 1);

export const CAMPOS_DO_AJUSTE = {
  motivo: 'texto',
  ...Object.fromEntries(NUMEROS.map((item) => [campoDoItem(item), 'dinheiro' as const])),
} as const;

const ROTULO_DOS_ITENS = 'O que se devolve';

const ROTULOS: Readonly<Record<string, string>> = {
  motivo: 'Motivo',
  itens: ROTULO_DOS_ITENS,
  ...Object.fromEntries(NUMEROS.map((item) => [campoDoItem(item), `Item ${item}`])),
};

/** What was typed, as the domain takes it: of the items that have an amount, how much is given back. */
export function lerAjuste({ motivo, ...dados }: Readonly<Record<string, unknown>>): object {
  const itens = NUMEROS.flatMap((item) => {
    const valor = dados[campoDoItem(item)] ?? '';
    return valor === '' ? [] : [{ item, valor }];
  });
  return { motivo, itens };
}

/** What is wrong with the n-th of the items that were sent is wrong with its field. */
function porCampo(estado: EstadoDoFormulario): EstadoDoFormulario {
  const enviados = NUMEROS.map(campoDoItem).filter((nome) => valorDe(estado, nome).trim() !== '');
  return comFaltasEm(estado, (campo) => enviados[Number(/^itens\.(\d+)\./.exec(campo)?.[1] ?? NaN)] ?? campo);
}

/** How much of which items is given back. */
export async function telaDoAjuste(chamada: DaNota, enviado: EstadoDoFormulario): Promise<Tela> {
  const estado = porCampo(enviado);
  const nota = await exigirNota(chamada);
  const itens = (await chamada.dominio.notas.itens(nota.id)).filter(({ item }) => item <= MAIS_ITENS);
  return telaSobreNota(
    nota,
    'Ajustar nota',
    itens.length === 0
      ? aviso('warning', 'O documento desta nota não está aqui, e sem ele não se sabe quais são os seus itens.')
      : html`<p>
            Outra nota, de ajuste, devolve parte do valor desta: dias sem serviço, por exemplo. Esta continua
            autorizada, e a fatura fica como está.
          </p>
          ${formulario({
            para: `/nfcom/${nota.id}/ajustar`,
            estado,
            rotulos: ROTULOS,
            enviar: 'Emitir o ajuste',
            volta: `/nfcom/${nota.id}`,
            corpo: html`${conjunto(
              estado,
              { nome: 'itens', rotulo: ROTULO_DOS_ITENS },
              html`${itens.map(({ item, descricao, valor }) =>
                entrada(estado, {
                  nome: campoDoItem(item),
                  rotulo: descricao,
                  teclado: 'decimal',
                  maximo: 14,
                  dica: `Quanto se devolve, de ${escreverReais(valor)}. Vazio: nada.`,
                }),
              )}`,
            )}
            ${entrada(estado, { nome: 'motivo', rotulo: 'Motivo', obrigatorio: true, maximo: 200 })}`,
          })}`,
  );
}
