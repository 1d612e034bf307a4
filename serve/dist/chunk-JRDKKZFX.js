import{t as m}from"./chunk-KTG6FFNT.js";import{j as e}from"./chunk-EPCJSULQ.js";var n=null;function l(){return n??=new m(e),n}export{l as a};
