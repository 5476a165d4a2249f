/** What is ours over Tabler's style sheet: the frame, tables that become cards on a phone, charts, and what print leaves out. */
export const ESTILO = String.raw`
:root{--malha-cor:#0b4f5c;--malha-sobre:#fff}
body{font-feature-settings:"tnum"}
.pular{position:absolute;left:-999px;top:0;z-index:2000;padding:.75rem 1rem;background:var(--tblr-bg-surface)}
.pular:focus{left:0}
.topo{position:sticky;top:0;z-index:1020;display:flex;gap:.75rem;align-items:center;min-height:3.5rem;padding:.375rem 1rem;background:var(--malha-cor);color:var(--malha-sobre)}
.topo a,.topo summary,.topo button{color:inherit}
.topo .marca{font-weight:700;text-decoration:none;white-space:nowrap;overflow:hidden;text-overflow:ellipsis;max-width:14rem}
.topo .procura{position:relative;flex:1;max-width:40rem;margin:0 auto}
.topo .procura input{width:100%;min-height:2.5rem}
.topo .botao{display:inline-flex;align-items:center;justify-content:center;gap:.375rem;min-width:2.5rem;min-height:2.5rem;padding:0 .5rem;border:0;border-radius:.375rem;background:none;cursor:pointer;list-style:none}
.topo .botao:hover,.topo .botao:focus-visible{background:rgba(128,128,128,.35)}
.topo summary::-webkit-details-marker{display:none}
.topo details{position:relative}
.topo .suspenso,#achados>div{position:absolute;right:0;top:calc(100% + .375rem);z-index:1030;min-width:16rem;max-width:calc(100vw - 2rem);max-height:75vh;overflow:auto;padding:.375rem;border:1px solid var(--tblr-border-color);border-radius:.5rem;background:var(--tblr-bg-surface);color:var(--tblr-body-color);box-shadow:0 .5rem 1.5rem rgba(0,0,0,.2)}
#achados>div{left:0;right:0}
.procura:not(:focus-within) #achados{display:none}
#achados a:focus,#achados a:hover{background:var(--tblr-active-bg)}
#achados a>span:last-child{margin-left:auto;color:var(--tblr-secondary);white-space:nowrap}
.suspenso a,.suspenso button,#achados a{display:flex;gap:.5rem;align-items:center;width:100%;min-height:2.5rem;padding:.375rem .625rem;border:0;border-radius:.375rem;background:none;color:inherit;text-align:left;text-decoration:none}
.suspenso a:hover,.suspenso button:hover,#achados a:hover,#achados a:focus{background:var(--tblr-active-bg)}
#achados h3{margin:.5rem .625rem .125rem;font-size:.75rem;text-transform:uppercase;color:var(--tblr-secondary)}
.quadro{display:grid;grid-template-columns:14rem minmax(0,1fr);min-height:calc(100vh - 3.5rem)}
.lateral{padding:.75rem .5rem;border-right:1px solid var(--tblr-border-color);background:var(--tblr-bg-surface)}
.lateral ul{position:sticky;top:4.25rem;margin:0;padding:0;list-style:none}
.lateral a{display:flex;gap:.625rem;align-items:center;min-height:2.5rem;padding:.375rem .75rem;border-radius:.375rem;color:inherit;text-decoration:none}
.lateral a:hover{background:var(--tblr-active-bg)}
.lateral a[aria-current]{background:var(--tblr-active-bg);box-shadow:inset 3px 0 var(--tblr-primary);font-weight:600}
.lateral .badge{margin-left:auto}
.lateral li li a{padding-left:2.75rem;min-height:2.25rem}
.so-fone{display:none}
#conteudo{min-width:0;padding:1rem 1.25rem 3rem;max-width:100rem}
.cabeca{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;justify-content:space-between;margin-bottom:1rem}
.cabeca h1{margin:0;font-size:1.5rem;line-height:1.25}
.cabeca nav{width:100%;font-size:.875rem}
.cabeca nav ol{display:flex;flex-wrap:wrap;gap:.375rem;margin:0;padding:0;list-style:none}
.cabeca nav li+li::before{content:"/";margin-right:.375rem;color:var(--tblr-secondary)}
.acoes{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}
.acoes form{margin:0}
.mais-acoes{position:relative}
.mais-acoes>summary{list-style:none}
.mais-acoes>summary::-webkit-details-marker{display:none}
.mais-acoes>.suspenso{position:absolute;right:0;top:calc(100% + .375rem);z-index:20;min-width:16rem;max-width:calc(100vw - 2rem);padding:.375rem;border:1px solid var(--tblr-border-color);border-radius:.5rem;background:var(--tblr-bg-surface);box-shadow:0 .5rem 1.5rem rgba(0,0,0,.2)}
.icon{width:1.25rem;height:1.25rem;flex:none}
.btn .icon{margin:0}
.btn:has(.icon){gap:.375rem}
.card{margin-bottom:1rem}
.card-header{flex-wrap:wrap;gap:.5rem}
.card-title{margin:0;font-size:1rem}
.colunas{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(20rem,100%),1fr));gap:1rem;align-items:start}
.colunas>.card{margin:0}
.colunas+*,.card+.colunas{margin-top:1rem}
.alert-warning,.alert-info,.alert-success{color:var(--tblr-body-color)}
.colunas{margin-bottom:1rem}
.colunas>.card,.colunas>div>.card:last-child{margin-bottom:0}
.numeros{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(11.5rem,100%),1fr));gap:.75rem;margin-bottom:1rem}
.numero{display:block;container-type:inline-size;padding:.75rem 1rem;border:1px solid var(--tblr-border-color);border-radius:.5rem;background:var(--tblr-bg-surface);color:inherit;text-decoration:none}
a.numero:hover{border-color:var(--tblr-primary);text-decoration:none}
.numeros.seis{grid-template-columns:repeat(auto-fit,minmax(min(9rem,100%),1fr))}
.numeros.reais .numero{padding:.75rem}
.numeros.reais strong{font-size:1.125rem;white-space:nowrap}
.numero strong{display:block;font-size:1.375rem;line-height:1.3;overflow-wrap:anywhere}
.numero strong.dinheiro{font-size:clamp(.875rem,10cqi,1.375rem);white-space:nowrap}
.numero span{color:var(--tblr-secondary)}
.ficha{display:grid;grid-template-columns:fit-content(45%) minmax(0,1fr);gap:.375rem 1rem;margin:0}
.ficha dt{min-width:6rem;font-weight:400;color:var(--tblr-secondary)}
.ficha+*{margin-top:1rem}
.ficha dd{margin:0;overflow-wrap:anywhere}
.abas{display:flex;flex-wrap:wrap;gap:.25rem;margin-bottom:1rem;border-bottom:1px solid var(--tblr-border-color)}
.abas a{padding:.625rem .875rem;border-bottom:2px solid transparent;color:inherit;text-decoration:none}
.abas a[aria-current]{border-color:var(--tblr-primary);font-weight:600}
.filtros{display:flex;flex-wrap:wrap;gap:.5rem;align-items:end;margin-bottom:1rem}
.filtros>div{min-width:9rem;flex:0 1 auto}
.filtros .campo{margin:0}
.filtros .form-label .fw-normal{display:none}
.filtros .cresce{flex:1 1 16rem}
.table-responsive{position:relative;overflow-x:auto}
table.tabela{margin:0}
.tabela th{white-space:nowrap}
.tabela td.direita,.tabela th.direita{text-align:right}
.tabela td{vertical-align:middle}
@media (min-width:641px){.tabela td.titulo{min-width:11rem}}
.inteiro{white-space:nowrap}
.quebra{display:inline-block;min-width:9rem;overflow-wrap:anywhere}
.ficha .quebra{min-width:0}
.tabela .acoes{justify-content:flex-end}
.paginas{display:flex;flex-wrap:wrap;gap:.75rem;align-items:center;justify-content:space-between;padding:.75rem 1rem}
.vazio{padding:2rem 1rem;text-align:center}
.vazio>.icon{width:2.5rem;height:2.5rem;color:var(--tblr-secondary)}
.campo{margin-bottom:1rem}
.form-control[type=color]{height:2.5rem;padding:.25rem}
.campo .invalid-feedback{display:block}
.form-label{font-weight:600}
fieldset{min-width:0;margin-bottom:1rem}
fieldset>legend{font-size:1rem;font-weight:600}
.grade{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(14rem,100%),1fr));gap:0 1rem}
.caixas{clear:left;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(17rem,100%),1fr));gap:.25rem 1rem}
#conteudo.estreita{max-width:28rem;margin:2rem auto;padding:0 1rem}
.card form:not(.com-passkeys)>.campo{max-width:36rem}
.largura-leitura{max-width:46rem}
.segredo{font-family:var(--tblr-font-monospace);overflow-wrap:anywhere;user-select:all}
.lado-a-lado{display:grid;grid-template-columns:minmax(0,3fr) minmax(0,2fr);gap:1rem;align-items:start}
.progresso{width:100%;height:.75rem}
.previa{display:block;width:100%;max-width:26rem;margin:0 auto}
dialog{width:min(36rem,calc(100vw - 2rem));padding:0;border:1px solid var(--tblr-border-color);border-radius:.5rem;background:var(--tblr-bg-surface);color:var(--tblr-body-color)}
dialog::backdrop{background:rgba(0,0,0,.5)}
dialog>div{padding:1.25rem}
dialog h2{font-size:1.125rem}
.codigos{display:grid;grid-template-columns:repeat(auto-fill,minmax(12rem,1fr));gap:.25rem 1rem;padding:.75rem 1rem;border:1px solid var(--tblr-border-color);border-radius:.5rem;list-style:none}
html:not([data-script]) .com-script,html[data-script] .sem-script,html:not([data-passkeys]) .com-passkeys,html[data-passkeys] .sem-passkeys{display:none}
.matriz th[scope=col]{white-space:normal;min-width:6.5rem;text-align:center}
.matriz td{text-align:center}
.matriz .grupo th{background:var(--tblr-bg-surface-secondary)}
.matriz .icon{color:var(--tblr-green)}
.matriz .form-switch{display:inline-block}
.achados{margin:0;padding:.375rem;list-style:none}
.achados a{display:flex;gap:.75rem;align-items:center;justify-content:space-between;min-height:2.75rem;padding:.375rem .75rem;border-radius:.375rem;color:inherit;text-decoration:none}
.achados a:hover,.achados a:focus{background:var(--tblr-active-bg)}
.suspensa{position:relative}
.suspensa>summary{list-style:none}
.suspensa>ul{position:absolute;right:0;z-index:10;min-width:14rem;border:1px solid var(--tblr-border-color);border-radius:.5rem;background:var(--tblr-bg-surface);box-shadow:0 .5rem 1.5rem rgba(0,0,0,.2)}
.quem{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;align-items:center;margin-bottom:.75rem}
.deve strong{font-size:1.25rem;color:var(--tblr-danger-text-emphasis,var(--tblr-red))}
.linhas{margin:0 0 .75rem;padding:0;list-style:none}
.linhas li{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:center;justify-content:space-between;min-height:2.25rem;padding:.25rem 0;border-bottom:1px solid var(--tblr-border-color)}
.badge[class*=-lt]{color:var(--tblr-body-color)!important}
#conteudo p>a:not(.btn),#conteudo .alert a:not(.btn),#conteudo dd>a:not(.btn),#conteudo .form-hint a{text-decoration:underline}
code{color:var(--tblr-body-color)}
.btn-danger{--tblr-btn-bg:#b42318;--tblr-btn-border-color:#b42318;--tblr-btn-color:#fff;--tblr-btn-hover-bg:#912018}
.btn-outline-danger{--tblr-btn-color:#b42318;--tblr-btn-border-color:#b42318;--tblr-btn-hover-bg:#b42318}
[data-bs-theme=dark] .btn-outline-danger{--tblr-btn-color:#ff9b94;--tblr-btn-border-color:#ff9b94}
.ponto{display:inline-block;width:.625rem;height:.625rem;margin-right:.375rem;border-radius:50%;background:var(--tblr-secondary)}
.ponto.on{background:var(--tblr-green)}
.ponto.off{border:2px solid var(--tblr-red);background:transparent}
figure{margin:0}
.legenda{display:flex;flex-wrap:wrap;gap:.375rem;align-items:center;margin:.5rem 0 0;color:var(--tblr-secondary)}
.g-marca{display:inline-block;width:.75rem;height:.75rem;background:var(--tblr-primary)}
.g-marca2{margin-left:.75rem;background:var(--tblr-orange)}
.passos{margin:0;padding:0;list-style:none}
.passos li{display:flex;gap:.75rem;padding:.5rem 0}
.alert>div{color:var(--tblr-body-color)}
.qr{max-width:14rem;margin-bottom:1rem}
.qr svg{display:block;width:100%;height:auto;border-radius:.375rem}
figure svg{display:block;overflow:visible}
figcaption{margin-bottom:.5rem}
.g-barra{fill:var(--tblr-primary)}
.g-barra2{fill:var(--tblr-orange)}
.g-ruim{fill:var(--tblr-red)}
.g-bom{fill:var(--tblr-green)}
.g-fraco{fill:var(--tblr-border-color)}
.g-eixo{stroke:var(--tblr-border-color)}
.g-texto{fill:var(--tblr-secondary);font-size:12px}
.g-linha{fill:none;stroke:var(--tblr-primary);stroke-width:2}
.conversa{display:grid;gap:.75rem}
.fala{padding:.75rem 1rem;border:1px solid var(--tblr-border-color);border-radius:.5rem;overflow-wrap:anywhere}
.dito{white-space:pre-wrap}
.acoes.da-linha{flex-wrap:nowrap;gap:.25rem}
.acoes.da-linha .icon{margin:0}
.fala.interna{border-style:dashed;border-color:var(--tblr-orange);background:var(--tblr-orange-lt)}
.invisivel{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
:focus-visible{outline:3px solid var(--tblr-primary);outline-offset:2px}
.vivo{font-size:.8125rem;white-space:nowrap}
.vivo[data-vivo]::before{content:"";display:inline-block;width:.625rem;height:.625rem;margin-right:.375rem;border:2px solid currentColor;border-radius:50%}
.vivo[data-vivo=sim]::before{background:currentColor}
.sino{font-weight:600}
.novos{position:sticky;top:4rem;z-index:10;display:block;width:100%;margin-bottom:.75rem}
.novos[hidden]{display:none}
.prioridade{white-space:nowrap}
.prioridade.urgente{font-weight:700;color:var(--tblr-red)}
[data-bs-theme=dark] .prioridade.urgente{color:#ff9b94}
.prioridade.alta{font-weight:600}
.dois{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,22rem);gap:1rem;align-items:start}
.composicao.interna{border:1px dashed var(--tblr-orange);background:var(--tblr-orange-lt)}
.semana{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(15rem,100%),1fr));gap:1rem;align-items:start}
.visita{padding:.625rem 0;border-bottom:1px solid var(--tblr-border-color)}
.visita:last-child{border:0}
.espera{opacity:0;transition:opacity .2s .3s}
.htmx-request .espera,.htmx-request.espera{opacity:1}
@media (min-width:641px){.tabela td time{white-space:nowrap}}
@media (max-width:991px){
.lado-a-lado{grid-template-columns:minmax(0,1fr)}
.quadro{grid-template-columns:minmax(0,1fr)}
.lateral{display:none}
.so-fone{display:block}
.topo .so-fone>.suspenso{right:auto;left:0}
.topo{flex-wrap:wrap}
.topo .procura{order:9;flex-basis:100%;max-width:none}
.topo .folga{display:none}
.topo .marca{flex:1 1 0;min-width:0;max-width:none}
.dois{grid-template-columns:minmax(0,1fr)}
}
@media (min-width:641px){
[data-densidade=compacta] .table>:not(caption)>*>*{padding-top:.1875rem;padding-bottom:.1875rem}
[data-densidade=compacta] .card{margin-bottom:.625rem}
[data-densidade=compacta] .card-header,[data-densidade=compacta] .card-body{padding:.625rem .875rem}
[data-densidade=compacta] .campo{margin-bottom:.5rem}
[data-densidade=compacta] .ficha{gap:.125rem 1rem}
[data-densidade=compacta] .linhas li,[data-densidade=compacta] .achados a{min-height:1.75rem}
}
@media (min-width:641px){.por-extenso{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}}
@media (max-width:640px){
.topo{gap:.25rem .375rem;padding:.375rem .75rem}
.topo .nome{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
.filtros>div{flex:1 1 9rem}
.acoes.da-linha{flex:1;flex-wrap:wrap;padding-top:.375rem}
.acoes.da-linha>*{flex:1 1 auto}
.acoes.da-linha .btn{gap:.25rem;justify-content:center}
.acoes.da-linha form .btn{width:100%}
.vivo [data-dito]{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
#conteudo{padding:.75rem .75rem 4rem}
.btn,.form-control,.form-select,.abas a,.suspenso a{min-height:44px}
.tabela.vira thead{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
.tabela.vira,.tabela.vira tbody,.tabela.vira tr,.tabela.vira td{display:block;width:100%}
.tabela.vira tr{padding:.625rem .75rem;border-bottom:1px solid var(--tblr-border-color)}
.tabela.vira td{display:flex;gap:.5rem;justify-content:flex-end;padding:.1875rem 0;border:0;text-align:right}
.tabela.vira td[data-rotulo]::before{content:attr(data-rotulo);flex:none;margin-right:auto;color:var(--tblr-secondary);text-align:left}
.tabela.vira td.titulo{flex-direction:column;justify-content:flex-start;gap:0;font-weight:600;text-align:left}
.tabela.vira td.titulo>.badge,.tabela.vira td.titulo>code{align-self:flex-start}
.tabela.vira td:not(.titulo)>.badge{flex:none;align-self:flex-start}
.tabela.vira td:empty{display:none}
.tabela.vira td>.ponto{flex:none;align-self:center;margin:0 -.5rem 0 auto}
.matriz{font-size:.8125rem}
.matriz th[scope=row]{white-space:normal}
.matriz th,.matriz td{padding:.5rem .25rem}
.matriz th[scope=col]{min-width:0;padding:.5rem .125rem;font-size:.625rem;letter-spacing:0;text-transform:none;overflow-wrap:anywhere;hyphens:auto}
.ficha{grid-template-columns:minmax(0,1fr)}
.numeros{grid-template-columns:repeat(auto-fit,minmax(min(9.5rem,100%),1fr));gap:.5rem}
.numero{padding:.625rem .75rem}
.numero strong{font-size:1.125rem}
.numero strong.dinheiro{font-size:clamp(.875rem,10cqi,1.125rem)}
.ficha dd{margin-bottom:.375rem}
.mais-acoes>.suspenso,.suspensa>ul{right:auto;left:0}
}
@media (prefers-reduced-motion:reduce){*{transition:none!important;animation:none!important}}
@media print{.topo,.lateral,.acoes,.filtros,.abas{display:none!important}.quadro{display:block}}
`;
