import{g as m}from"./chunk-YUGIBAJH.js";import{j as e}from"./chunk-TFKFL3PS.js";var n=null;function l(){return n??=new m(e),n}export{l as a};
