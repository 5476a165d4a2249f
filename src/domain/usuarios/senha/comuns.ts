/**
 * Words that the commonest passwords are made of, folded to plain lower-case letters. A password of twelve characters is hardly ever in a
 * list of common ones as it stands; it is a few of these with digits and signs, and `julgarSenha` takes all of that away.
 */
export const PALAVRAS_COMUNS: readonly string[] = (
  'senha senhas segura seguro secreta secreto password passwd passw0rd letmein welcome bemvindo login admin administrador administrator ' +
  'usuario user root teste testes test mudar trocar mudei change changeme default padrao inicial temporaria acesso entrar sistema painel ' +
  'internet provedor fibra wifi telecom rede suporte financeiro atendimento tecnico cliente clientes empresa trabalho escritorio ' +
  'brasil brazil deus jesus cristo amor amo teamo meuamor minha meu vida feliz familia filho filha mae pai vovo bebe princesa gatinha ' +
  'flamengo corinthians palmeiras santos vasco gremio cruzeiro internacional saopaulo botafogo fluminense atletico futebol ' +
  'maria jose joao ana paulo pedro lucas gabriel rafael daniel bruno carlos marcos antonio francisco julia juliana fernanda amanda bruna ' +
  'camila beatriz leticia larissa mariana patricia aline vanessa jessica matheus felipe gustavo rodrigo eduardo leonardo ricardo ' +
  'love iloveyou you forever angel baby princess sunshine dragon monkey master shadow superman batman football baseball soccer pokemon ' +
  'hello ola oi secret freedom trust trustno one ninja hunter killer michael jordan michelle nicole daniel summer winter spring autumn ' +
  'janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro verao inverno segunda terca quarta quinta ' +
  'sexta sabado domingo january february march april june july august september october november december monday friday sunday ' +
  'google facebook instagram microsoft windows computer computador celular notebook malha access server qwerty qwert asdf zxcv abc'
).split(' ');
